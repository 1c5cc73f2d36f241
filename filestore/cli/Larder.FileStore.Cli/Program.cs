using System.CommandLine;
using System.CommandLine.Parsing;
using Larder.FileStore;
using Larder.FileStore.Cli;

Argument<FileInfo> file = new("file") { Description = "The cache file, NAME.jsonl." };
RootCommand root = new("Looks into and looks after the file store's cache files.")
{
    Show(),
    Check(),
    Compact(),
    Export(),
    Import(),
};
root.HelpName = "larder file";
ParseResult parsed = root.Parse(args);
if (parsed.Errors.Count > 0)
{
    foreach (ParseError error in parsed.Errors)
    {
        Console.Error.WriteLine(error.Message);
    }
    Console.Error.WriteLine("'larder file --help' lists the commands.");
    return 2;
}
return parsed.Invoke();

Command Show()
{
    Option<string> prefix = new("--prefix") { Description = "Only keys that start with this.", DefaultValueFactory = _ => "" };
    Option<int> most = new("--most") { Description = "The most entries to show.", DefaultValueFactory = _ => 100 };
    Command command = new("show", "Shows the entries. Reads only; the cache may be in use.") { file, prefix, most };
    command.SetAction(r => Guarded(() => ShowCommand.Run(r.GetRequiredValue(file), r.GetValue(prefix)!, r.GetValue(most))));
    return command;
}

Command Check()
{
    Command command = new("check", "Verifies every line. Reads only. Exit code 0: whole, 1: damaged.") { file };
    command.SetAction(r => Guarded(() => CheckCommand.Run(r.GetRequiredValue(file))));
    return command;
}

Command Compact()
{
    Command command = new("compact", "Rewrites the file without its dead lines. The cache may be in use.") { file };
    command.SetAction(r => Guarded(() => CompactCommand.Run(r.GetRequiredValue(file))));
    return command;
}

Command Export()
{
    Option<FileInfo?> output = new("--output", "-o") { Description = "The file to write; standard output if not given. It must not exist." };
    Command command = new("export", "Writes the live entries, one JSON object a line: key, value or base64, expires. Reads only.") { file, output };
    command.SetAction(r => Guarded(() => ExportCommand.Run(r.GetRequiredValue(file), r.GetValue(output))));
    return command;
}

Command Import()
{
    Argument<FileInfo> source = new("source") { Description = "What export wrote, or the older library's JSON file." };
    Command command = new("import", "Sets the entries of a file, in one write. The cache is created if missing and may be in use.") { file, source };
    command.SetAction(r => Guarded(() => ImportCommand.Run(r.GetRequiredValue(file), r.GetRequiredValue(source))));
    return command;
}

static int Guarded(Func<int> run)
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
