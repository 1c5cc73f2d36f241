using System.Buffers.Text;

namespace Larder.Store;

/// <summary>An int64 as the base-10 text that increments store: digits, with a leading minus where negative.</summary>
internal static class IntegerText
{
    /// <summary>Length of the longest text, that of the least int64.</summary>
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
