using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace Larder.Cli;

/// <summary>The whole command line: parses it, runs it, and reports errors.</summary>
internal sealed class CommandLine : IAsyncDisposable
{
    // The launcher's name, which users type, not the program's file name.
    public const string Name = "larder";

    // A word that starts with @ stays a word. By default the parser would read more words from a file with that name.
    private static readonly ParserConfiguration s_parsing = new() { ResponseFileTokenReplacer = null };

    private readonly Clients _clients = new();

    /// <summary>Creates the commands.</summary>
    /// <param name="only">The name of the command to run. If no command has that name, all are created. Creating one takes about a millisecond.</param>
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

    /// <summary>Runs one command and closes the connections that it opened.</summary>
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

    /// <summary>Runs one command. Connections that it opened stay open for the next one.</summary>
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
#pragma warning disable CA1031 // A user cannot do anything with a stack trace.
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

    // Without this check, the help for a command that does not exist would be that of its parent.
    private Task<int> HelpAsync(IReadOnlyList<string> words)
    {
        ParseResult parsed = Root.Parse(words, s_parsing);
        Command command = parsed.CommandResult.Command;
        return command.Subcommands.Count > 0 && parsed.UnmatchedTokens.Count > 0
            ? Task.FromResult(Output.Refuse(ReasonsOf(parsed).Select(TerminalText.OfText), HelpOf(command)))
            : RunAsync([.. words, "--help"]);
    }

    // A misspelled command is one error. The parser also reports that the command is missing, and each word after it.
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
