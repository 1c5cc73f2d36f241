using Larder.Client.Tests.Support;
using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.Client.Tests.Cli;

/// <summary>Runs the command line as a process.</summary>
internal static class CliProgram
{
    /// <summary>
    /// The program in its own output folder with all dependencies. The tests' output folder lacks the files that the shared frameworks provide.
    /// </summary>
    public static readonly string Path = Checkout.Program("clients/dotnet/cli/Larder.Cli");

    public static Task<CliRun> RunAsync(string url, string[] arguments, byte[]? input = null, string? token = null, string? folder = null) =>
        RunAsync(url, "dotnet", [Path, .. arguments], input, token, folder);

    /// <summary>Runs another program, which runs the command line.</summary>
    public static async Task<CliRun> RunAsync(string url, string program, string[] words, byte[]? input = null, string? token = null, string? folder = null)
    {
        ProgramCommand command = new("the command line", program, words)
        {
            Folder = folder ?? "",
            Environment = new Dictionary<string, string?> { ["LARDER_URL"] = url, ["LARDER_TOKEN"] = token, ["LARDER_CONSOLE"] = null },
        };
        ProgramRun run = await ProgramRun.OfAsync(command, input, Eventually.Limit);
        return new CliRun(run.ExitCode, run.Bytes, run.Errors);
    }
}
