using System.CommandLine;

namespace Larder.Cli;

/// <summary>The whole command line: parses, runs, and says what cannot be parsed.</summary>
internal static class CommandLine
{
    // What a user types: the launcher's name, not the program's file.
    private const string Name = "larder";

    public static async Task<int> RunAsync(string[] arguments)
    {
        RootCommand root = new($"Talks to a Larder server from the command line. {ExitCode.InWords}") { HelpName = Name };
        foreach (Command command in (Command[])[.. ItemCommands.All(), CacheCommands.List(), StatsCommand.Create(), SnapshotCommand.Create()])
        {
            root.Add(command);
        }

        ParseResult parsed = root.Parse(arguments);
        return parsed.Errors.Count > 0
            ? Output.Refuse(parsed.Errors.Select(static error => error.Message), HelpOf(parsed.CommandResult.Command))
            : await parsed.InvokeAsync().ConfigureAwait(false);
    }

    private static string HelpOf(Command command)
    {
        List<string> words = ["--help"];
        for (Command? part = command; part is not null and not RootCommand; part = part.Parents.OfType<Command>().FirstOrDefault())
        {
            words.Insert(0, part.Name);
        }

        return $"{Name} {string.Join(' ', words)}";
    }
}
