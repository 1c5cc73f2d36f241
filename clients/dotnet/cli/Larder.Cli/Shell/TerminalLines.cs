namespace Larder.Cli;

/// <summary>Reads lines from a terminal.</summary>
/// <param name="prompt">The prompt before each line.</param>
/// <param name="history">The previous lines.</param>
/// <param name="complete">Returns the words that may complete a text.</param>
internal sealed class TerminalLines(string prompt, LineHistory history, Func<string, IReadOnlyList<string>> complete)
{
    /// <summary>Returns the next line, or null at the end of the input.</summary>
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
            // While the command runs, Ctrl+C interrupts the command and is not read as a key.
            Console.TreatControlCAsInput = false;
        }
    }

    // Draws the line in one row of the screen. If the line is too long, draws the part around the cursor.
    private void Draw(LineEditor editor)
    {
        int width = Math.Max(Console.WindowWidth - prompt.Length - 1, 8);
        int begin = Math.Max(editor.Cursor - width, 0);
        string seen = editor.Text.Substring(begin, Math.Min(editor.Text.Length - begin, width));
        Console.Out.Write($"\r\e[K{prompt}{seen}\r\e[{prompt.Length + editor.Cursor - begin}C");
        Console.Out.Flush();
    }
}
