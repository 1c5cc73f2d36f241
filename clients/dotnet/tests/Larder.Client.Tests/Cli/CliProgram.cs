using Larder.Client.Tests.Support;
using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.Client.Tests.Cli;

/// <summary>Runs the command line as a process.</summary>
internal static class CliProgram
{
    /// <summary>
    /// The command that runs the program: the native program that LARDER_NATIVE names, or else the one in its own output folder with all dependencies. The
    /// tests' output folder lacks the files that the shared frameworks provide.
    /// </summary>
    private static readonly string[] s_command =
        Environment.GetEnvironmentVariable("LARDER_NATIVE") is { Length: > 0 } native
            ? [native]
            : ["dotnet", Checkout.Program("clients/dotnet/cli/Larder.Cli")];

    /// <summary>Gets whether this is the packaged native program, which shows its commands if none is given.</summary>
    public static bool IsNative => s_command.Length == 1;

    /// <summary>Gets the command for a shell.</summary>
    public static string InShell => string.Join(' ', s_command.Select(static word => $"'{word}'"));

    public static Task<CliRun> RunAsync(string url, string[] arguments, byte[]? input = null, string? token = null, string? folder = null) =>
        RunAsync(url, s_command[0], [.. s_command[1..], .. arguments], input, token, folder);

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
