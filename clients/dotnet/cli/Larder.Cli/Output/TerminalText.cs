using System.Buffers;
using System.Globalization;
using System.Text;

namespace Larder.Cli;

/// <summary>
/// Makes bytes safe for a terminal. Escapes characters that would move the cursor, change colours or reverse the text direction, and escapes invalid UTF-8.
/// </summary>
internal static class TerminalText
{
    /// <summary>Escapes a value. Line breaks and tabs are not escaped.</summary>
    public static string OfValue(ReadOnlySpan<byte> bytes) => Escape(bytes, oneLine: false);

    /// <summary>Escapes a key, including line breaks. Backslashes are doubled, so that the result is unambiguous.</summary>
    public static string OfKey(ReadOnlySpan<byte> bytes) => Escape(bytes, oneLine: true);

    /// <summary>Escapes a sentence from an external source, including line breaks.</summary>
    public static string OfText(string text) => Escape(Encoding.UTF8.GetBytes(text), oneLine: true, backslash: false);

    private static string Escape(ReadOnlySpan<byte> bytes, bool oneLine, bool backslash = true)
    {
        StringBuilder text = new(bytes.Length);
        while (!bytes.IsEmpty)
        {
            bool isText = Rune.DecodeFromUtf8(bytes, out Rune rune, out int length) == OperationStatus.Done;
            if (!isText)
            {
                for (int i = 0; i < length; i++)
                {
                    text.Append(CultureInfo.InvariantCulture, $"\\x{bytes[i]:x2}");
                }
            }
            else if (!oneLine && rune.Value is '\n' or '\t')
            {
                text.Append((char)rune.Value);
            }
            else
            {
                AppendRune(text, rune, oneLine && backslash);
            }

            bytes = bytes[length..];
        }

        return text.ToString();
    }

    private static void AppendRune(StringBuilder text, Rune rune, bool backslash)
    {
        switch (rune.Value)
        {
            case '\n':
                text.Append("\\n");
                break;
            case '\r':
                text.Append("\\r");
                break;
            case '\t':
                text.Append("\\t");
                break;
            case '\\' when backslash:
                text.Append("\\\\");
                break;
            case < 0x20 or 0x7F:
                text.Append(CultureInfo.InvariantCulture, $"\\x{rune.Value:x2}");
                break;
            // The character is a control character, a format character (direction, joiner or tag) or a line break outside ASCII, so it is escaped.
            default:
                if (Rune.GetUnicodeCategory(rune) is UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator
                    or UnicodeCategory.ParagraphSeparator)
                {
                    text.Append(CultureInfo.InvariantCulture, $"\\u{{{rune.Value:x}}}");
                }
                else
                {
                    text.Append(rune.ToString());
                }

                break;
        }
    }
}
