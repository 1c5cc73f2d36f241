using System.CommandLine;
using System.CommandLine.Parsing;
using Larder.Cli;
using Larder.FileStore.Cli.Torture;

namespace Larder.FileStore.Cli;

/// <summary>The <c>larder file</c> command.</summary>
internal static class Program
{
    private static readonly Argument<FileInfo> s_file = new("file") { Description = "The cache file, NAME.jsonl." };

    /// <summary>Gets the words that run this command with the program of this process, <see cref="Environment.ProcessPath"/>.</summary>
    internal static IReadOnlyList<string> OwnWords =>
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) switch
        {
            "dotnet" => [Path.Combine(AppContext.BaseDirectory, "Larder.FileStore.Cli.dll")],
            "Larder.FileStore.Cli" => [],
            // The native program, under whatever name it was installed.
            _ => ["file"],
        };

    public static int Main(string[] args) => Run(args);

    /// <summary>Parses the words after <c>larder file</c>, runs the command and returns its exit code.</summary>
    internal static int Run(string[] args)
    {
        RootCommand root = new("Looks into and looks after the file store's cache files.")
        {
            Show(),
            List(),
            Get(),
            Set(),
            Remove(),
            Check(),
            Compact(),
            Export(),
            Import(),
            Torture(),
            TortureWorker(),
        };
        root.HelpName = "larder file";
        ParseResult parsed = root.Parse(args);
        IReadOnlyList<string> unknown = OptionCheck.Unknown(parsed.CommandResult.Command, args);
        if (unknown.Count > 0)
        {
            Console.Error.WriteLine($"There is no option {string.Join(", ", unknown)} here; after -- it would be a word like others.");
            Console.Error.WriteLine($"'larder file {parsed.CommandResult.Command.Name} --help' lists the options.");
            return 2;
        }
        if (parsed.Errors.Count > 0)
        {
            foreach (ParseError error in parsed.Errors)
            {
                Console.Error.WriteLine(error.Message);
            }
            Console.Error.WriteLine("'larder file --help' lists the commands.");
            return 2;
        }
        return Guarded(() => parsed.Invoke(new InvocationConfiguration { EnableDefaultExceptionHandler = false }));
    }

    private static Command Show()
    {
        Option<string> prefix = new("--prefix") { Description = "Only keys that start with this.", DefaultValueFactory = _ => "" };
        Option<int> most = new("--most") { Description = "The most entries to show.", DefaultValueFactory = _ => 100 };
        Command command = new("show", "Shows the entries. Reads only; the cache may be in use.") { s_file, prefix, most };
        command.SetAction(r => Guarded(() => ShowCommand.Run(r.GetRequiredValue(s_file), r.GetValue(prefix)!, r.GetValue(most))));
        return command;
    }

    private static Command List()
    {
        Option<string> prefix = new("--prefix") { Description = "Only keys that start with this.", DefaultValueFactory = _ => "" };
        Command command = new("list", "Prints the keys, one a line. Reads only.") { s_file, prefix };
        command.SetAction(r => Guarded(() => ListCommand.Run(r.GetRequiredValue(s_file), r.GetValue(prefix)!)));
        return command;
    }

    private static Command Get()
    {
        Argument<string> key = new("key") { Description = "The key." };
        Command command = new("get", "Prints a value. Reads only. Exit code 1: there is none.") { s_file, key };
        command.SetAction(r => Guarded(() => GetCommand.Run(r.GetRequiredValue(s_file), r.GetRequiredValue(key))));
        return command;
    }

    private static Command Set()
    {
        Argument<string> key = new("key") { Description = "The key." };
        Argument<string> value = new("value") { Description = "The value, a text." };
        Option<double?> seconds = new("--seconds") { Description = "How long the entry lives." };
        Option<double?> sliding = new("--sliding-seconds") { Description = "How long it lives after each read." };
        Command command = new("set", "Sets an entry. The cache is created if missing and may be in use.") { s_file, key, value, seconds, sliding };
        command.SetAction(r =>
            Guarded(() =>
                SetCommand.Run(r.GetRequiredValue(s_file), r.GetRequiredValue(key), r.GetRequiredValue(value), r.GetValue(seconds), r.GetValue(sliding))));
        return command;
    }

    private static Command Remove()
    {
        Argument<string[]> keys = new("keys") { Description = "The keys.", Arity = ArgumentArity.ZeroOrMore };
        Option<string?> prefix = new("--prefix") { Description = "All keys that start with this." };
        Command command = new("remove", "Removes entries in one write. The cache may be in use.") { s_file, keys, prefix };
        command.SetAction(r => Guarded(() => RemoveCommand.Run(r.GetRequiredValue(s_file), r.GetRequiredValue(keys), r.GetValue(prefix))));
        return command;
    }

    private static Command Check()
    {
        Command command = new("check", "Verifies every line. Reads only. Exit code 0: whole, 1: damaged.") { s_file };
        command.SetAction(r => Guarded(() => CheckCommand.Run(r.GetRequiredValue(s_file))));
        return command;
    }

    private static Command Compact()
    {
        Command command = new("compact", "Rewrites the file without its dead lines. The cache may be in use.") { s_file };
        command.SetAction(r => Guarded(() => CompactCommand.Run(r.GetRequiredValue(s_file))));
        return command;
    }

    private static Command Export()
    {
        Option<FileInfo?> output = new("--output", "-o") { Description = "The file to write; standard output if not given. It must not exist." };
        Command command = new("export", "Writes the live entries, one JSON object a line: key, value or base64, expires. Reads only.") { s_file, output };
        command.SetAction(r => Guarded(() => ExportCommand.Run(r.GetRequiredValue(s_file), r.GetValue(output))));
        return command;
    }

    private static Command Import()
    {
        Argument<FileInfo> source = new("source")
        {
            Description = "What export wrote, the older library's JSON file, or a JSON of settings such as appsettings.json.",
        };
        Command command = new("import", "Sets the entries of a file, in one write. The cache is created if missing and may be in use.") { s_file, source };
        command.SetAction(r => Guarded(() => ImportCommand.Run(r.GetRequiredValue(s_file), r.GetRequiredValue(source))));
        return command;
    }

    private static Command Torture()
    {
        Option<double> minutes = new("--minutes") { Description = "How long.", DefaultValueFactory = _ => 5 };
        Option<int> processes = new("--processes") { Description = "How many processes share the cache.", DefaultValueFactory = _ => 16 };
        Option<int> seed = new("--seed") { Description = "What the order of events is made from.", DefaultValueFactory = _ => 1 };
        Command command = new(
            "torture",
            "Processes that set, read, compact, open and are killed over one cache, while its file is truncated, overwritten and deleted, its folder "
                + "switched, replaced and restored from a backup and the disk filled. "
                + "Exit code 0: nothing acknowledged was lost, nothing stale was read, the file stayed bounded, every fault was said.")
        {
            minutes,
            processes,
            seed,
        };
        command.SetAction(r => TortureCommand.Run(r.GetValue(minutes), r.GetValue(processes), r.GetValue(seed)));
        return command;
    }

    private static Command TortureWorker()
    {
        Argument<int> process = new("process");
        Argument<long> number = new("number");
        Command command = new("torture-worker", "One process of the torture run.") { s_file, process, number };
        command.Hidden = true;
        command.SetAction(r =>
        {
            using TortureWorker worker = new(r.GetRequiredValue(s_file).FullName, r.GetValue(process), r.GetValue(number));
            return worker.Run();
        });
        return command;
    }

    private static int Guarded(Func<int> run)
    {
        try
        {
            return run();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException)
        {
            Console.Error.WriteLine(e.Message);
            return 2;
        }
    }
}
