using System.Text;

namespace Larder.Cli;

/// <summary>
/// Splits a line into words as a shell does. Spaces separate words. Text in single quotes is literal. In double quotes and outside quotes, a backslash escapes
/// the next character.
/// </summary>
internal static class ShellWords
{
    /// <summary>Returns the words of a line.</summary>
    /// <exception cref="FormatException">A quote is not closed, or a backslash is the last character.</exception>
    public static IReadOnlyList<string> Split(string line)
    {
        List<string> words = [];
        StringBuilder? word = null;
        char quote = '\0';
        for (int i = 0; i < line.Length; i++)
        {
            char c = line[i];
            if (c == '\\' && quote != '\'')
            {
                word = (word ?? new()).Append(
                    ++i < line.Length ? line[i] : throw new FormatException("the line ends with a backslash; remove it, or double it for a literal backslash"));
            }
            else if (quote != '\0')
            {
                (quote, word) = c == quote ? ('\0', word) : (quote, word!.Append(c));
            }
            else if (c is '\'' or '"')
            {
                (quote, word) = (c, word ?? new());
            }
            else if (!char.IsWhiteSpace(c))
            {
                word = (word ?? new()).Append(c);
            }
            else if (word is not null)
            {
                words.Add(word.ToString());
                word = null;
            }
        }

        if (quote != '\0')
        {
            throw new FormatException($"the quote {quote} is not closed");
        }

        if (word is not null)
        {
            words.Add(word.ToString());
        }

        return words;
    }
}
