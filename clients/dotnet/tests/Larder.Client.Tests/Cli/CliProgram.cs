using Larder.Client.Tests.Support;
using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.Client.Tests.Cli;

/// <summary>Runs the command line as a process.</summary>
internal static class CliProgram
{
    /// <summary>
    /// The command that runs the program. If the variable LARDER_NATIVE is set, the command is the native program at that path. Otherwise, the command runs the
    /// assembly in the program's own output folder, which contains all dependencies. The tests' output folder lacks the files that the shared frameworks
    /// provide.
    /// </summary>
    private static readonly string[] s_command =
        Environment.GetEnvironmentVariable("LARDER_NATIVE") is { Length: > 0 } native
            ? [native]
            : ["dotnet", Checkout.Program("clients/dotnet/cli/Larder.Cli")];

    /// <summary>Gets whether the tests run the packaged native program. Without arguments, that program shows its commands.</summary>
    public static bool IsNative => s_command.Length == 1;

    /// <summary>Gets the command line that starts the program from a shell.</summary>
    public static string InShell => string.Join(' ', s_command.Select(static word => $"'{word}'"));

    public static Task<CliRun> RunAsync(
        string url,
        string[] arguments,
        byte[]? input = null,
        string? token = null,
        string? folder = null,
        string? tokenFile = null) => RunAsync(url, s_command[0], [.. s_command[1..], .. arguments], input, token, folder, tokenFile);

    /// <summary>Runs another program, which itself runs the command line.</summary>
    public static async Task<CliRun> RunAsync(
        string url,
        string program,
        string[] words,
        byte[]? input = null,
        string? token = null,
        string? folder = null,
        string? tokenFile = null)
    {
        ProgramCommand command = new("the command line", program, words)
        {
            Folder = folder ?? "",
            Environment = new Dictionary<string, string?>
            {
                ["LARDER_URL"] = url,
                ["LARDER_TOKEN"] = token,
                ["LARDER_TOKEN_FILE"] = tokenFile,
                ["LARDER_CONSOLE"] = null,
            },
        };
        ProgramRun run = await ProgramRun.OfAsync(command, input, Eventually.Limit);
        return new CliRun(run.ExitCode, run.Bytes, run.Errors);
    }
}
