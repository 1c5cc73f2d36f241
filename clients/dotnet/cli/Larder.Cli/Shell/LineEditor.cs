namespace Larder.Cli;

/// <summary>A line that is being edited: its text, the cursor, and the position in the history. It is independent of the terminal.</summary>
/// <param name="history">The previous lines, the oldest first.</param>
/// <param name="complete">Returns the words that may complete a text.</param>
internal sealed class LineEditor(IReadOnlyList<string> history, Func<string, IReadOnlyList<string>> complete)
{
    private string _draft = "";
    private int _at = history.Count;

    public string Text { get; private set; } = "";

    /// <summary>Gets the cursor's position in the text, from 0 to the length of the text.</summary>
    public int Cursor { get; private set; }

    /// <summary>Gets the possible completions if the last key requested completion and there are several. They are shown once.</summary>
    public IReadOnlyList<string> Candidates { get; private set; } = [];

    /// <summary>Handles a key.</summary>
    /// <returns>What to do with the line.</returns>
    public LineOutcome Take(ConsoleKeyInfo key)
    {
        Candidates = [];
        bool control = key.Modifiers.HasFlag(ConsoleModifiers.Control);
        switch (key.Key)
        {
            case ConsoleKey.Enter:
                return LineOutcome.Entered;
            case ConsoleKey.C when control:
                return LineOutcome.Dropped;
            case ConsoleKey.D when control && Text.Length == 0:
                return LineOutcome.Ended;
            case ConsoleKey.D when control:
            case ConsoleKey.Delete:
                Remove(Cursor, Math.Min(Cursor + 1, Text.Length));
                break;
            case ConsoleKey.Backspace:
                Remove(Math.Max(Cursor - 1, 0), Cursor);
                break;
            case ConsoleKey.LeftArrow:
            case ConsoleKey.B when control:
                Cursor = Math.Max(Cursor - 1, 0);
                break;
            case ConsoleKey.RightArrow:
            case ConsoleKey.F when control:
                Cursor = Math.Min(Cursor + 1, Text.Length);
                break;
            case ConsoleKey.Home:
            case ConsoleKey.A when control:
                Cursor = 0;
                break;
            case ConsoleKey.End:
            case ConsoleKey.E when control:
                Cursor = Text.Length;
                break;
            case ConsoleKey.U when control:
                Remove(0, Cursor);
                break;
            case ConsoleKey.K when control:
                Remove(Cursor, Text.Length);
                break;
            case ConsoleKey.W when control:
                Remove(WordBefore(), Cursor);
                break;
            case ConsoleKey.UpArrow:
            case ConsoleKey.P when control:
                GoTo(_at - 1);
                break;
            case ConsoleKey.DownArrow:
            case ConsoleKey.N when control:
                GoTo(_at + 1);
                break;
            case ConsoleKey.Tab:
                Complete();
                break;
            default:
                if (!char.IsControl(key.KeyChar))
                {
                    Text = Text.Insert(Cursor++, key.KeyChar.ToString());
                }

                break;
        }

        return LineOutcome.GoesOn;
    }

    private void Remove(int from, int to)
    {
        Text = Text.Remove(from, to - from);
        Cursor = from;
    }

    private int WordBefore()
    {
        int at = Cursor;
        while (at > 0 && Text[at - 1] == ' ')
        {
            at--;
        }

        while (at > 0 && Text[at - 1] != ' ')
        {
            at--;
        }

        return at;
    }

    private void GoTo(int line)
    {
        if (line < 0 || line > history.Count)
        {
            return;
        }

        _draft = _at == history.Count ? Text : _draft;
        _at = line;
        Text = line == history.Count ? _draft : history[line];
        Cursor = Text.Length;
    }

    private void Complete()
    {
        int begin = Cursor == 0 ? 0 : Text.LastIndexOf(' ', Cursor - 1) + 1;
        string part = Text[begin..Cursor];
        string[] fitting = [.. complete(Text[..begin]).Where(word => word.StartsWith(part, StringComparison.Ordinal)).Distinct(StringComparer.Ordinal)];
        if (fitting.Length == 0)
        {
            return;
        }

        string common = fitting.Aggregate(static (one, other) => one[..CommonLength(one, other)]) + (fitting.Length == 1 ? " " : "");
        Text = Text[..begin] + common + Text[Cursor..];
        Cursor = begin + common.Length;
        Candidates = fitting.Length > 1 && common.Length == part.Length ? fitting : [];
    }

    private static int CommonLength(string one, string other)
    {
        int length = 0;
        while (length < one.Length && length < other.Length && one[length] == other[length])
        {
            length++;
        }

        return length;
    }
}
