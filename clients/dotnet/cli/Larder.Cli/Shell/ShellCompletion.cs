namespace Larder.Cli;

/// <summary>Completes words in the shell.</summary>
internal static class ShellCompletion
{
    /// <summary>Returns the commands and options that may follow a text.</summary>
    /// <param name="rows">The words that may follow each command.</param>
    /// <param name="before">The text before the cursor.</param>
    public static IReadOnlyList<string> WordsAfter(IReadOnlyList<CompletionRow> rows, string before)
    {
        CompletionRow row = rows.First(static row => row.Path.Length == 0);
        foreach (string word in before.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            string path = row.Path.Length == 0 ? word : $"{row.Path} {word}";
            row = rows.FirstOrDefault(other => other.Path == path) ?? row;
        }

        return [.. row.Words.Select(static word => word.Word)];
    }
}
