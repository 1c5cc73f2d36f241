using System.CommandLine;

namespace Larder.Cli;

/// <summary>What may follow the words of a command.</summary>
/// <param name="Path">The command's words, with blanks between them; empty for larder itself.</param>
/// <param name="Words">Commands and options, each with what it is.</param>
internal sealed record CompletionRow(string Path, IReadOnlyList<(string Word, string Meaning)> Words)
{
    // What the launcher and the package have beside this program: their first words only, but of tokens.
    private static readonly (string Word, string Meaning)[] Others =
    [
        ("serve", "Runs a cache server"),
        ("token", "Makes tokens, and looks at files of them"),
        ("file", "Looks after a file cache"),
        ("tune", "Finds the concurrency to run with"),
        ("bench", "Measures a client against a server"),
        ("quickstart", "Shows all of it once"),
    ];

    // The server's program has them; after a command that takes a file come files.
    private static readonly CompletionRow[] TokenRows =
    [
        new("token",
        [
            ("new", "Makes a token of 256 bits, prints it once, and its entry, or adds that to a file"),
            ("check", "Says whether a file is one that a server takes, and what in it has ended"),
            ("list", "Lists who may do what, and until when"),
            ("key", "Makes or changes the key of disposable tokens"),
        ]),
        new("token new",
        [
            ("--append", "File of tokens that its entry is added to"),
            ("--expires", "When it ends"),
            ("--grant", "What it may do"),
            ("--id", "Who it is, in logs and figures"),
        ]),
        new("token check", []), new("token list", []), new("token key", []),
    ];

    /// <summary>One row for larder and each of its commands.</summary>
    public static IReadOnlyList<CompletionRow> Of(RootCommand root)
    {
        List<CompletionRow> rows = [];
        Add(rows, "", root);
        rows.AddRange(TokenRows);
        return rows;
    }

    private static void Add(List<CompletionRow> rows, string path, Command command)
    {
        List<(string, string)> words = [.. command.Subcommands.Where(static sub => !sub.Hidden).Select(static sub => (sub.Name, sub.Description ?? ""))];
        words.AddRange(path.Length == 0 ? Others : []);
        words.AddRange(
            OptionCheck.Known(command)
                .Where(static named => named.Key.StartsWith("--", StringComparison.Ordinal))
                .OrderBy(static named => named.Key, StringComparer.Ordinal)
                .Select(static named => (named.Key, named.Value.Description ?? "")));
        rows.Add(new CompletionRow(path, words));
        foreach (Command sub in command.Subcommands.Where(static sub => !sub.Hidden))
        {
            Add(rows, path.Length == 0 ? sub.Name : $"{path} {sub.Name}", sub);
        }
    }
}
