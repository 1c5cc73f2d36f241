using System.CommandLine;

namespace Larder.Cli;

/// <summary>
/// The command that reads and runs commands line by line. On a terminal it offers history and completion. It also reads commands from a pipe.
/// </summary>
internal static class ShellCommand
{
    private const string Prompt = "larder> ";

    public static Command Create()
    {
        ExampleCommand command = new(
            "shell",
            "Runs commands line by line on one connection, with history and completion; if the commands come from a pipe, stops at the first failure",
            "larder shell",
            "larder shell < commands.txt");
        command.SetAction((_, _) => RunAsync());
        return command;
    }

    private static async Task<int> RunAsync()
    {
        CommandLine line = new();
        await using (line.ConfigureAwait(false))
        {
            return Console.IsInputRedirected ? await RunPipeAsync(line).ConfigureAwait(false) : await RunTerminalAsync(line).ConfigureAwait(false);
        }
    }

    // Runs the lines of a script. When a command fails, prints the number of its line and returns its exit code.
    private static async Task<int> RunPipeAsync(CommandLine commands)
    {
        int number = 0;
        while (await Console.In.ReadLineAsync().ConfigureAwait(false) is { } line)
        {
            number++;
            int code = await RunLineAsync(commands, line).ConfigureAwait(false);
            if (code != ExitCode.Done)
            {
                Console.Error.WriteLine($"line {number} failed with exit code {code}");
                return code;
            }
        }

        return ExitCode.Done;
    }

    private static async Task<int> RunTerminalAsync(CommandLine commands)
    {
        LineHistory history = new(LineHistory.DefaultPath);
        IReadOnlyList<CompletionRow> rows = CompletionRow.Of(commands.Root);
        TerminalLines lines = new(Prompt, history, before => ShellCompletion.WordsAfter(rows, before));
        while (lines.Read() is { } line && line.Trim() is not ("exit" or "quit"))
        {
            history.Add(line);
            await RunLineAsync(commands, line).ConfigureAwait(false);
        }

        history.Save();
        return ExitCode.Done;
    }

    private static async Task<int> RunLineAsync(CommandLine commands, string line)
    {
        IReadOnlyList<string> words;
        try
        {
            words = ShellWords.Split(line);
        }
        catch (FormatException refused)
        {
            return Output.Refuse([refused.Message]);
        }

        // The line is not a command. It is empty, a comment, or the command shell, which is rejected within a shell.
        return words is [] || words[0].StartsWith('#') ? ExitCode.Done
            : words is ["shell", ..] ? Output.Refuse(["the shell is already running; 'help' lists the commands, 'exit' quits"])
            : await commands.InvokeAsync(words is [CommandLine.Name, ..] ? [.. words.Skip(1)] : words).ConfigureAwait(false);
    }
}
