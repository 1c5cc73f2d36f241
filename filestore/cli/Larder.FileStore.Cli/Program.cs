using System.CommandLine;
using System.CommandLine.Parsing;
using Larder.Cli;
using Larder.FileStore.Cli.Torture;

namespace Larder.FileStore.Cli;

/// <summary>The <c>larder file</c> command.</summary>
internal static class Program
{
    private static readonly Argument<FileInfo> s_file = new("file") { Description = "Path of the cache file, NAME.jsonl." };

    /// <summary>Gets the arguments with which this process's program, <see cref="Environment.ProcessPath"/>, runs <c>larder file</c>.</summary>
    internal static IReadOnlyList<string> OwnWords =>
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) switch
        {
            "dotnet" => [Path.Combine(AppContext.BaseDirectory, "Larder.FileStore.Cli.dll")],
            "Larder.FileStore.Cli" => [],
            // The native program. Use the name under which it was installed.
            _ => ["file"],
        };

    public static int Main(string[] args) => Run(args);

    /// <summary>Parses the words after <c>larder file</c>, runs the command and returns its exit code.</summary>
    internal static int Run(string[] args)
    {
        RootCommand root = new("Inspects and maintains cache files of the file store.")
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
            Console.Error.WriteLine($"Unknown option {string.Join(", ", unknown)}; to pass it as an argument, put it after --.");
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
        Option<string> prefix = new("--prefix") { Description = "Include only keys that start with this prefix.", DefaultValueFactory = _ => "" };
        Option<int> most = new("--most") { Description = "Maximum number of entries to show.", DefaultValueFactory = _ => 100 };
        Command command = new("show", "Shows the entries as a table. Read-only; the cache may be in use.") { s_file, prefix, most };
        command.SetAction(r => Guarded(() => ShowCommand.Run(r.GetRequiredValue(s_file), r.GetValue(prefix)!, r.GetValue(most))));
        return command;
    }

    private static Command List()
    {
        Option<string> prefix = new("--prefix") { Description = "Include only keys that start with this prefix.", DefaultValueFactory = _ => "" };
        Command command = new("list", "Prints the keys, one per line. Read-only.") { s_file, prefix };
        command.SetAction(r => Guarded(() => ListCommand.Run(r.GetRequiredValue(s_file), r.GetValue(prefix)!)));
        return command;
    }

    private static Command Get()
    {
        Argument<string> key = new("key") { Description = "The key." };
        Command command = new("get", "Prints a value. Read-only. The exit code is 1 if the key is missing.") { s_file, key };
        command.SetAction(r => Guarded(() => GetCommand.Run(r.GetRequiredValue(s_file), r.GetRequiredValue(key))));
        return command;
    }

    private static Command Set()
    {
        Argument<string> key = new("key") { Description = "The key." };
        Argument<string> value = new("value") { Description = "The value, as text." };
        Option<double?> seconds = new("--seconds") { Description = "Time to live of the entry in seconds." };
        Option<double?> sliding = new("--sliding-seconds") { Description = "Sliding time to live in seconds: the entry expires if not read for this long." };
        Command command = new("set", "Sets an entry. Creates the cache if it does not exist. The cache may be in use.")
        {
            s_file,
            key,
            value,
            seconds,
            sliding,
        };
        command.SetAction(r =>
            Guarded(() =>
                SetCommand.Run(r.GetRequiredValue(s_file), r.GetRequiredValue(key), r.GetRequiredValue(value), r.GetValue(seconds), r.GetValue(sliding))));
        return command;
    }

    private static Command Remove()
    {
        Argument<string[]> keys = new("keys") { Description = "The keys.", Arity = ArgumentArity.ZeroOrMore };
        Option<string?> prefix = new("--prefix") { Description = "Remove all keys that start with this prefix." };
        Command command = new("remove", "Removes entries in one write. The cache may be in use.") { s_file, keys, prefix };
        command.SetAction(r => Guarded(() => RemoveCommand.Run(r.GetRequiredValue(s_file), r.GetRequiredValue(keys), r.GetValue(prefix))));
        return command;
    }

    private static Command Check()
    {
        Command command = new("check", "Verifies every line. Read-only. The exit code is 0 if the file is intact and 1 if it is damaged.") { s_file };
        command.SetAction(r => Guarded(() => CheckCommand.Run(r.GetRequiredValue(s_file))));
        return command;
    }

    private static Command Compact()
    {
        Command command = new("compact", "Rewrites the file without deleted and expired entries. The cache may be in use.") { s_file };
        command.SetAction(r => Guarded(() => CompactCommand.Run(r.GetRequiredValue(s_file))));
        return command;
    }

    private static Command Export()
    {
        Option<FileInfo?> output = new("--output", "-o")
        {
            Description = "Path of a new file to write; the default is standard output. The file must not exist.",
        };
        Command command = new("export", "Writes the live entries, one JSON object per line: key, value (base64 if it is not text), expiry. Read-only.")
        {
            s_file,
            output,
        };
        command.SetAction(r => Guarded(() => ExportCommand.Run(r.GetRequiredValue(s_file), r.GetValue(output))));
        return command;
    }

    private static Command Import()
    {
        Argument<FileInfo> source = new("source")
        {
            Description = "Output of 'export', a JSON file of Net.DistributedFileStoreCache, or JSON settings such as appsettings.json.",
        };
        Command command = new("import", "Imports the entries of a file in one write. Creates the cache if it does not exist. The cache may be in use.")
        {
            s_file,
            source,
        };
        command.SetAction(r => Guarded(() => ImportCommand.Run(r.GetRequiredValue(s_file), r.GetRequiredValue(source))));
        return command;
    }

    private static Command Torture()
    {
        Option<double> minutes = new("--minutes") { Description = "Duration of the run in minutes.", DefaultValueFactory = _ => 5 };
        Option<int> processes = new("--processes") { Description = "Number of processes that share the cache.", DefaultValueFactory = _ => 16 };
        Option<int> seed = new("--seed") { Description = "Seed of the random order of events.", DefaultValueFactory = _ => 1 };
        Command command = new(
            "torture",
            "Runs a stress test. Several processes set, read, compact and open one cache. Meanwhile, some processes are killed. The cache file is truncated, "
                + "overwritten and deleted. Its folder is switched, replaced and restored from a backup. The disk fills up. "
                + "The exit code is 0 if no acknowledged write was lost, no stale value was read, the file stayed within its limit "
                + "and every fault was reported.")
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
        Command command = new("torture-worker", "Runs one process of the stress test.") { s_file, process, number };
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
