using System.Diagnostics;

namespace Larder.Server.Tests.Console;

/// <summary>Prometheus's own tool for its formats.</summary>
internal static class Promtool
{
    internal const string Path = "/usr/bin/promtool";

    /// <summary>Runs it; answers its exit code and everything that it said.</summary>
    internal static async Task<(int ExitCode, string Output)> RunAsync(string input, params string[] arguments)
    {
        ProcessStartInfo start = new(Path, arguments) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        using Process process = Process.Start(start) ?? throw new InvalidOperationException("promtool did not start.");
        Task<string> errors = process.StandardError.ReadToEndAsync();
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        await process.StandardInput.WriteAsync(input);
        process.StandardInput.Close();
        await process.WaitForExitAsync();
        return (process.ExitCode, await output + await errors);
    }
}
