using System.Buffers.Text;

namespace Larder.Store;

/// <summary>Converts between int64 and the base-10 text that increments store: digits, with a leading minus sign if negative.</summary>
internal static class IntegerText
{
    /// <summary>The maximum length of the text, which is the length of the smallest int64.</summary>
    public const int MaxBytes = 20;

    public static bool TryParse(ReadOnlySpan<byte> text, out long value)
    {
        if (text.Length is > 0 and <= MaxBytes && text[0] != (byte)'+' && Utf8Parser.TryParse(text, out value, out int consumed))
        {
            return consumed == text.Length;
        }

        value = 0;
        return false;
    }

    public static int Format(long value, Span<byte> text)
    {
        Utf8Formatter.TryFormat(value, text, out int written);
        return written;
    }
}
