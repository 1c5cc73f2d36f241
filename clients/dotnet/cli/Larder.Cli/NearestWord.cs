namespace Larder.Cli;

/// <summary>Finds the valid word that is most similar to a misspelled word.</summary>
internal static class NearestWord
{
    private const int MaxEdits = 2;

    // A word that is longer than this is not compared with the valid words.
    private const int MaxLength = 40;

    /// <summary>Returns the most similar word, or null if none is similar.</summary>
    /// <param name="words">The valid words.</param>
    /// <param name="misspelled">The word that the user typed.</param>
    public static string? In(IEnumerable<string> words, string misspelled)
    {
        if (misspelled.Length > MaxLength)
        {
            return null;
        }

        (int edits, string? word) = words
            .Select(word => (Edits: Edits(word.ToUpperInvariant(), misspelled.ToUpperInvariant()), Word: (string?)word))
            .OrderBy(static each => each.Edits)
            .FirstOrDefault((int.MaxValue, null));
        return edits <= MaxEdits && edits < misspelled.Length ? word : null;
    }

    // Returns the edit distance: the number of insertions, deletions, replacements and swaps of adjacent characters (optimal string alignment).
    private static int Edits(string a, string b)
    {
        int[,] edits = new int[a.Length + 1, b.Length + 1];
        for (int i = 0; i <= a.Length; i++)
        {
            for (int j = 0; j <= b.Length; j++)
            {
                edits[i, j] = i == 0 || j == 0 ? i + j : EditsAt(a, b, edits, i, j);
            }
        }

        return edits[a.Length, b.Length];
    }

    private static int EditsAt(string a, string b, int[,] edits, int i, int j)
    {
        int replaced = edits[i - 1, j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
        int least = Math.Min(replaced, 1 + Math.Min(edits[i - 1, j], edits[i, j - 1]));
        bool isSwapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
        return isSwapped ? Math.Min(least, 1 + edits[i - 2, j - 2]) : least;
    }
}
