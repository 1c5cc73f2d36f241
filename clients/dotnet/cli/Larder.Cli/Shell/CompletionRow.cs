using System.CommandLine;

namespace Larder.Cli;

/// <summary>The words that may follow a command.</summary>
/// <param name="Path">The words of the command after <c>larder</c>, separated by spaces. Empty for <c>larder</c> itself.</param>
/// <param name="Words">The subcommands and options, each with its description.</param>
internal sealed record CompletionRow(string Path, IReadOnlyList<(string Word, string Meaning)> Words)
{
    // The commands of the launcher and of other programs in the package. Only their names are completed. TokenRows completes the words after "token".
    private static readonly (string Word, string Meaning)[] Others =
    [
        ("serve", "Runs a cache server"),
        ("doctor", "Checks this machine and the settings of a server"),
        ("token", "Creates tokens and inspects token files"),
        ("file", "Inspects and maintains a file cache"),
        ("tune", "Finds the best concurrency limit"),
        ("bench", "Measures throughput and latency"),
        ("quickstart", "Runs a short demonstration"),
    ];

    // The subcommands and options of "larder token", which the server's program implements. A subcommand without words has a file as its argument, so
    // file names are completed after it.
    private static readonly CompletionRow[] TokenRows =
    [
        new("token",
        [
            ("new", "Creates a 256-bit token and prints it once. Also prints the entry for the token file or, with --append, adds the entry to that file"),
            ("check", "Checks whether a token file is valid, and lists expired entries"),
            ("list", "Lists the tokens with their permissions and expiry"),
            ("key", "Adds a signing key for disposable tokens to a key file"),
        ]),
        new("token new",
        [
            ("--append", "Token file to add the entry to"),
            ("--expires", "Expiry of the token"),
            ("--grant", "Permission of the token"),
            ("--id", "Name of the token's owner in logs and metrics"),
        ]),
        new("token check", []), new("token list", []), new("token key", []),
    ];

    /// <summary>Returns one row for larder and one row for each of its commands.</summary>
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
