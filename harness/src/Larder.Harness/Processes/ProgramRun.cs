using System.Text;

namespace Larder.Harness.Processes;

/// <summary>The result of a program that has ended.</summary>
/// <param name="ExitCode">The exit code.</param>
/// <param name="Bytes">The bytes written to stdout.</param>
/// <param name="Errors">The text written to stderr.</param>
public sealed record ProgramRun(int ExitCode, byte[] Bytes, string Errors)
{
    /// <summary>Gets the text written to stdout.</summary>
    public string Output => Encoding.UTF8.GetString(Bytes);

    /// <summary>Gets the text written to stdout, followed by the text written to stderr.</summary>
    public string Log => Output + Errors;

    /// <summary>Runs a program with the given input until it ends.</summary>
    /// <exception cref="HarnessException">The program is not installed, or did not end before the timeout.</exception>
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
            // The program does not read its input if it rejects its arguments. Then writing the input fails.
        }

        int exitCode = await process.WaitForExitAsync(patience).ConfigureAwait(false);
        await written.ConfigureAwait(false);
        return new ProgramRun(exitCode, output.ToArray(), await process.WholeLogAsync().ConfigureAwait(false));
    }

    /// <summary>Does the same as <see cref="OfAsync"/>, but blocks the calling thread.</summary>
    /// <exception cref="HarnessException">The program is not installed, or did not end before the timeout.</exception>
    public static ProgramRun Of(ProgramCommand command, TimeSpan? patience = null) => OfAsync(command, default, patience).GetAwaiter().GetResult();

    /// <summary>Returns the text written to stdout, or throws if the program failed.</summary>
    /// <exception cref="HarnessException">The exit code is not 0.</exception>
    public string Require(string name) => ExitCode == 0 ? Output : throw new HarnessException($"{name} failed with exit code {ExitCode}: {Log}", ExitCode);
}
