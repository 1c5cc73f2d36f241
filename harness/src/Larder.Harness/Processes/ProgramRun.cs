using System.Text;

namespace Larder.Harness.Processes;

/// <summary>A program that has run to its end.</summary>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Bytes">What it wrote to stdout.</param>
/// <param name="Errors">What it wrote to stderr.</param>
public sealed record ProgramRun(int ExitCode, byte[] Bytes, string Errors)
{
    /// <summary>What it wrote to stdout, as text.</summary>
    public string Output => Encoding.UTF8.GetString(Bytes);

    /// <summary>All that it wrote, stdout first.</summary>
    public string Said => Output + Errors;

    /// <summary>Runs a program on some input.</summary>
    /// <exception cref="HarnessException">It is not installed, or does not end within the patience.</exception>
    public static async Task<ProgramRun> OfAsync(ProgramCommand command, ReadOnlyMemory<byte> input = default, TimeSpan? patience = null)
    {
        using ChildProcess process = ChildProcess.Start(command);
        using MemoryStream output = new();
        Task written = process.Output.BaseStream.CopyToAsync(output);
        try
        {
            await process.Input.BaseStream.WriteAsync(input).ConfigureAwait(false);
            process.Input.Close();
        }
        catch (IOException)
        {
            // A program that refuses its words does not read its input.
        }

        int exitCode = await process.WaitForExitAsync(patience).ConfigureAwait(false);
        await written.ConfigureAwait(false);
        return new ProgramRun(exitCode, output.ToArray(), await process.WholeLogAsync().ConfigureAwait(false));
    }

    /// <summary>The same, waited for by this thread.</summary>
    /// <exception cref="HarnessException">It is not installed, or does not end within the patience.</exception>
    public static ProgramRun Of(ProgramCommand command, TimeSpan? patience = null) => OfAsync(command, default, patience).GetAwaiter().GetResult();

    /// <summary>What it wrote to stdout, where only success will do.</summary>
    /// <exception cref="HarnessException">It ended with another exit code than 0.</exception>
    public string Must(string name) => ExitCode == 0 ? Output : throw new HarnessException($"{name} failed with exit code {ExitCode}: {Said}", ExitCode);
}
