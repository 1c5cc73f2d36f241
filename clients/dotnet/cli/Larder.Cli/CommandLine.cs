using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace Larder.Cli;

/// <summary>Parses the command line, runs the command, and reports errors.</summary>
internal sealed class CommandLine : IAsyncDisposable
{
    // The name that the help and messages use. It is the name of the launcher that users type, not the file name of this program.
    public const string Name = "larder";

    // Disables response files: by default, the parser replaces a word that starts with @ by the content of a file. Here such a word is an ordinary word.
    private static readonly ParserConfiguration s_parsing = new() { ResponseFileTokenReplacer = null };

    private readonly Clients _clients = new();

    /// <summary>Creates the commands.</summary>
    /// <param name="only">
    /// The name of the command to run. Only this command is created, because creating a command takes about a millisecond. If no command has this name, all
    /// commands are created.
    /// </param>
    public CommandLine(string only = "")
    {
        Root = new($"Client for a Larder server. {ExitCode.InWords}") { HelpName = Name };
        ItemCommands items = new(_clients);
        Dictionary<string, Func<Command>> all = new(StringComparer.Ordinal)
        {
            ["get"] = items.Get,
            ["set"] = items.Set,
            ["delete"] = items.Delete,
            ["increment"] = items.Increment,
            ["ttl"] = items.Ttl,
            ["expire"] = items.Expire,
            ["type"] = items.ItemType,
            ["dict"] = new DictionaryCommands(_clients).Create,
            ["sets"] = new SetCommands(_clients).Create,
            ["list"] = new ListCommands(_clients).Create,
            ["zset"] = new SortedSetCommands(_clients).Create,
            ["items"] = new ItemsCommand(_clients).Create,
            ["publish"] = new TopicCommands(_clients).Publish,
            ["subscribe"] = new TopicCommands(_clients).Subscribe,
            ["caches"] = new CacheCommands(_clients).List,
            ["scan"] = new ScanCommand(_clients).Create,
            ["export"] = new ExportCommand(_clients).Create,
            ["import"] = new ImportCommand(_clients).Create,
            ["ping"] = new PingCommand(_clients).Create,
            ["stats"] = StatsCommand.Create,
            ["stat"] = StatCommand.Create,
            ["monitor"] = MonitorCommand.Create,
            ["snapshot"] = SnapshotCommand.Create,
            ["shell"] = ShellCommand.Create,
            ["completions"] = CompletionsCommand.Create,
        };
        foreach (Func<Command> create in all.TryGetValue(only, out Func<Command>? one) && only != "completions" ? [one] : all.Values.ToArray())
        {
            Root.Add(create());
        }

        HelpOption help = Root.Options.OfType<HelpOption>().Single();
        help.Action = new ExampleHelp((SynchronousCommandLineAction)help.Action!);
    }

    public RootCommand Root { get; }

    /// <summary>Runs one command, and then closes the connections that it opened.</summary>
    /// <param name="arguments">The words after <c>larder</c>.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(string[] arguments)
    {
        CommandLine line = new(arguments.FirstOrDefault() ?? "");
        await using (line.ConfigureAwait(false))
        {
            return CommandNames.HaveLostBytes(arguments)
                ? Output.Refuse(["an argument is not valid UTF-8; pass such bytes on standard input or in hexadecimal (--hex, --hex-key)"])
                : await line.InvokeAsync(arguments).ConfigureAwait(false);
        }
    }

    /// <summary>Runs one command. Connections that the command opens stay open for the next command.</summary>
    /// <param name="arguments">The words after <c>larder</c>.</param>
    /// <returns>The exit code.</returns>
    public async Task<int> InvokeAsync(IReadOnlyList<string> arguments)
    {
        try
        {
            return await (arguments is ["help" or "?", ..] ? HelpAsync([.. arguments.Skip(1)]) : RunAsync(arguments)).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return ExitCode.Interrupted;
        }
        catch (IOException unwritten)
        {
            return ResultStream.IsClosed(unwritten) ? ExitCode.Done : Output.Fail($"cannot write the output: {unwritten.Message}");
        }
#pragma warning disable CA1031 // A stack trace does not help a user, so any exception is reported as a message.
        catch (Exception fault)
#pragma warning restore CA1031
        {
            string reason = $"internal error: {fault.Message} ({fault.GetType().Name}); please report it with the command that caused it";
            return Output.Fail(TerminalText.OfText(reason));
        }
    }

    public ValueTask DisposeAsync() => _clients.DisposeAsync();

    private async Task<int> RunAsync(IReadOnlyList<string> arguments)
    {
        ParseResult parsed = Root.Parse(arguments, s_parsing);
        Command command = parsed.CommandResult.Command;
        IReadOnlyList<string> unknown = OptionCheck.Unknown(command, arguments);
        if (unknown.Count > 0)
        {
            return Output.Refuse(
                unknown.Select(option => $"unknown option '{TerminalText.OfText(option)}'; to pass it as an argument, put it after --"),
                HelpOf(command));
        }

        if (parsed.Errors.Count > 0)
        {
            return Output.Refuse(ReasonsOf(parsed).Select(TerminalText.OfText), HelpOf(command));
        }

        return await parsed.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false }).ConfigureAwait(false);
    }

    // Prints the help of a command. Reports an unknown command, because the parser would otherwise print the help of its parent command.
    private Task<int> HelpAsync(IReadOnlyList<string> words)
    {
        ParseResult parsed = Root.Parse(words, s_parsing);
        Command command = parsed.CommandResult.Command;
        return command.Subcommands.Count > 0 && parsed.UnmatchedTokens.Count > 0
            ? Task.FromResult(Output.Refuse(ReasonsOf(parsed).Select(TerminalText.OfText), HelpOf(command)))
            : RunAsync([.. words, "--help"]);
    }

    // Returns the reasons why the command line is invalid. For a misspelled command, returns only one reason, although the parser also reports a missing
    // command and each word after the misspelled command.
    private static IEnumerable<string> ReasonsOf(ParseResult parsed)
    {
        Command command = parsed.CommandResult.Command;
        string[] names = [.. command.Subcommands.Select(static each => each.Name)];
        if (names.Length > 0 && parsed.UnmatchedTokens is [string word, ..])
        {
            return [NearestWord.In([.. names, "help"], word) is { } near ? $"unknown command '{word}'; did you mean '{near}'?" : $"unknown command '{word}'"];
        }

        return names.Length > 0 && command.Action is null
            ? [$"a subcommand is missing; pass one of: {string.Join(", ", names)}"]
            : parsed.Errors.Select(static error => error.Message);
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
