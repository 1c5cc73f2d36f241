using System.Diagnostics;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>The command line as a process.</summary>
internal static class CliProgram
{
    /// <summary>Its own folder, with all that it needs: beside the tests lie only the files that they do not get from a framework.</summary>
    public static readonly string Path = System.IO.Path.GetFullPath(System.IO.Path.Combine(
        AppContext.BaseDirectory,
        "../../../../../cli/Larder.Cli/bin",
        System.IO.Path.GetRelativePath(System.IO.Path.Combine(AppContext.BaseDirectory, "../.."), AppContext.BaseDirectory),
        "Larder.Cli.dll"));

    public static Task<CliRun> RunAsync(string url, string[] arguments, byte[]? input = null, string? token = null, string? folder = null) =>
        RunAsync(url, "dotnet", [Path, .. arguments], input, token, folder);

    /// <summary>Runs another program that runs it.</summary>
    public static async Task<CliRun> RunAsync(string url, string program, string[] words, byte[]? input = null, string? token = null, string? folder = null)
    {
        ProcessStartInfo start = new(program, words)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder ?? "",
        };
        start.Environment["LARDER_URL"] = url;
        start.Environment["LARDER_TOKEN"] = token;
        start.Environment.Remove("LARDER_CONSOLE");
        using Process process = Process.Start(start)!;
        using MemoryStream output = new();
        Task written = process.StandardOutput.BaseStream.CopyToAsync(output);
        Task<string> error = process.StandardError.ReadToEndAsync();
        try
        {
            await process.StandardInput.BaseStream.WriteAsync(input ?? []);
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // A command that refuses its words does not read its input.
        }

        try
        {
            await process.WaitForExitAsync().WaitAsync(Eventually.Limit);
        }
        catch (TimeoutException)
        {
            process.Kill(entireProcessTree: true);
            throw;
        }

        await written;
        return new CliRun(process.ExitCode, output.ToArray(), await error);
    }
}
