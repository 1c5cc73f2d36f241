using System.Buffers;
using System.Buffers.Text;
using System.Text;
using System.Text.Unicode;

namespace Larder.FileStore.Engine;

/// <summary>
/// Encodes and decodes JSON strings. Only quotes, backslashes and control characters are escaped, so that the file stays readable. Text with an unpaired
/// surrogate is written with \u escapes and decoded by this class, because UTF-8 cannot represent it.
/// </summary>
internal static class JsonText
{
    private static readonly SearchValues<char> Escaped = SearchValues.Create(
        string.Concat(Enumerable.Range(0, 32).Select(i => (char)i)) + "\"\\");

    /// <summary>Returns the maximum number of bytes for <paramref name="chars"/> characters, without the quotes.</summary>
    internal static int MaxBytes(int chars) => checked(chars * 6);

    /// <summary>Writes the string literal without its quotes. Returns the number of bytes written.</summary>
    internal static int Write(string text, Span<byte> destination)
    {
        if (!text.AsSpan().ContainsAny(Escaped)
            && Utf8.FromUtf16(text, destination, out _, out int written, replaceInvalidSequences: false) == OperationStatus.Done)
        {
            return written;
        }
        return WriteEscaped(text, destination, allNonAscii: HasUnpairedSurrogate(text));
    }

    /// <summary>Decodes a string literal without its quotes.</summary>
    internal static string Read(ReadOnlySpan<byte> literal) =>
        literal.Contains((byte)'\\') ? ReadEscaped(literal) : Encoding.UTF8.GetString(literal);

    private static int WriteEscaped(string text, Span<byte> destination, bool allNonAscii)
    {
        int at = 0;
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            char shortForm = c switch { '"' => '"', '\\' => '\\', '\n' => 'n', '\r' => 'r', '\t' => 't', _ => '\0' };
            if (shortForm != '\0')
            {
                destination[at++] = (byte)'\\';
                destination[at++] = (byte)shortForm;
            }
            else if (c < 32 || (allNonAscii && c > 126))
            {
                "\\u"u8.CopyTo(destination[at..]);
                Utf8Formatter.TryFormat((uint)c, destination[(at + 2)..], out _, new StandardFormat('x', 4));
                at += 6;
            }
            else if (c < 128)
            {
                destination[at++] = (byte)c;
            }
            else
            {
                int length = char.IsHighSurrogate(c) ? 2 : 1;
                at += Encoding.UTF8.GetBytes(text.AsSpan(i, length), destination[at..]);
                i += length - 1;
            }
        }
        return at;
    }

    private static bool HasUnpairedSurrogate(string text)
    {
        for (int i = 0; i < text.Length; i++)
        {
            if (char.IsSurrogate(text[i]))
            {
                if (i + 1 == text.Length || !char.IsSurrogatePair(text[i], text[i + 1]))
                {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static string ReadEscaped(ReadOnlySpan<byte> literal)
    {
        StringBuilder text = new(literal.Length);
        while (literal.Length > 0)
        {
            int plain = literal.IndexOf((byte)'\\');
            if (plain < 0)
            {
                text.Append(Encoding.UTF8.GetString(literal));
                break;
            }
            text.Append(Encoding.UTF8.GetString(literal[..plain]));
            literal = literal[(plain + 1)..];
            if (literal.Length == 0)
            {
                break;
            }
            if (literal[0] == 'u' && literal.Length >= 5
                && Utf8Parser.TryParse(literal.Slice(1, 4), out ushort unit, out int consumed, 'x') && consumed == 4)
            {
                text.Append((char)unit);
                literal = literal[5..];
                continue;
            }
            text.Append((char)literal[0] switch { 'n' => '\n', 'r' => '\r', 't' => '\t', 'b' => '\b', 'f' => '\f', var same => same });
            literal = literal[1..];
        }
        return text.ToString();
    }
}
