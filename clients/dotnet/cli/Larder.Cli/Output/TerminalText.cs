using System.Buffers;
using System.Globalization;
using System.Text;

namespace Larder.Cli;

/// <summary>
/// Bytes as a terminal may show them: what would move its cursor, change its colours or turn its letters' direction stands as an escape, and so does
/// what is no UTF-8.
/// </summary>
internal static class TerminalText
{
    /// <summary>A value: its line breaks and tabs stay.</summary>
    public static string OfValue(ReadOnlySpan<byte> bytes) => Escape(bytes, oneLine: false);

    /// <summary>A key: one line, and read back as it is written, a backslash as two.</summary>
    public static string OfKey(ReadOnlySpan<byte> bytes) => Escape(bytes, oneLine: true);

    /// <summary>A sentence from elsewhere, on one line.</summary>
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
            // Control characters, format characters (direction, joiners, tags) and breaks that are no ASCII.
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
