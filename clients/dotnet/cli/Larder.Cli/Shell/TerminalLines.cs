namespace Larder.Cli;

/// <summary>Reads lines from a person at a terminal.</summary>
/// <param name="prompt">What stands before each.</param>
/// <param name="history">Older lines.</param>
/// <param name="complete">The words that may follow a text.</param>
internal sealed class TerminalLines(string prompt, LineHistory history, Func<string, IReadOnlyList<string>> complete)
{
    /// <summary>The next line; null at the end.</summary>
    public string? Read()
    {
        LineEditor editor = new(history.Lines, complete);
        Draw(editor);
        Console.TreatControlCAsInput = true;
        try
        {
            while (true)
            {
                switch (editor.Take(Console.ReadKey(intercept: true)))
                {
                    case LineOutcome.Entered:
                        Console.Out.WriteLine();
                        return editor.Text;
                    case LineOutcome.Dropped:
                        Console.Out.WriteLine("^C");
                        return "";
                    case LineOutcome.Ended:
                        Console.Out.WriteLine();
                        return null;
                }

                if (editor.Candidates.Count > 0)
                {
                    Console.Out.WriteLine();
                    Console.Out.WriteLine(string.Join("  ", editor.Candidates));
                }

                Draw(editor);
            }
        }
        finally
        {
            // A command that runs is ended by Ctrl+C again.
            Console.TreatControlCAsInput = false;
        }
    }

    // One row of the screen: of a longer line, the part around the cursor.
    private void Draw(LineEditor editor)
    {
        int width = Math.Max(Console.WindowWidth - prompt.Length - 1, 8);
        int begin = Math.Max(editor.Cursor - width, 0);
        string seen = editor.Text.Substring(begin, Math.Min(editor.Text.Length - begin, width));
        Console.Out.Write($"\r\e[K{prompt}{seen}\r\e[{prompt.Length + editor.Cursor - begin}C");
        Console.Out.Flush();
    }
}
