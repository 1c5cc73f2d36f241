using System.Text;
using Larder.Harness.Processes;

namespace Larder.Server.Tests.Console;

/// <summary>Runs Prometheus's promtool, which checks metrics and rule files.</summary>
internal static class Promtool
{
    internal const string Path = "/usr/bin/promtool";

    /// <summary>Runs promtool. Returns its exit code and its complete output.</summary>
    internal static async Task<(int ExitCode, string Output)> RunAsync(string input, params string[] arguments)
    {
        ProgramRun run = await ProgramRun.OfAsync(new ProgramCommand("promtool", Path, arguments), Encoding.UTF8.GetBytes(input));
        return (run.ExitCode, run.Log);
    }
}
