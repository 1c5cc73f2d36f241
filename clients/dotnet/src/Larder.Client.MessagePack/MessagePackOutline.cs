using System.Buffers.Binary;

namespace Larder.Client.Codecs;

/// <summary>
/// Checks, before bytes are deserialized, that they are a single complete MessagePack value. Without this check, input with nested arrays that each claim to
/// fill all remaining bytes would make the deserializer allocate memory for each array. The allocated memory would grow with the square of the input's length.
/// </summary>
internal static class MessagePackOutline
{
    public const string NotWhole = "The stored value is not a single complete MessagePack value.";
    private const byte Never = 0xC1;

    /// <summary>
    /// Returns the reason why the bytes must not be decoded, or null if they may be decoded. Bytes are rejected if they are truncated, if data follows the
    /// value, if an array, map, text or binary value claims more data than there is, or if the value exceeds a limit. Takes linear time.
    /// </summary>
    public static string? FindFault(ReadOnlySpan<byte> bytes, DecodeLimits limits)
    {
        // pending is the total number of values that are still expected. open contains, for each open array or map, the number of values expected in it. Each
        // value takes at least one byte, so pending must not exceed the number of remaining bytes. open takes at most 8 KB of stack.
        long pending = 1;
        Span<long> open = stackalloc long[limits.MaxDepth];
        int depth = 0;
        long elements = 0;
        long at = 0;
        while (pending > 0)
        {
            if (pending > bytes.Length - at)
            {
                return NotWhole;
            }

            byte type = bytes[(int)at++];
            pending--;
            elements++;
            if (type == Never || !TryLength(bytes, type, ref at, out long items, out long skipped))
            {
                return NotWhole;
            }

            pending += items;
            at += skipped;

            // The limit includes values that are still expected. An array that claims too many elements is therefore rejected at its beginning.
            if (elements + pending > limits.MaxElements)
            {
                return limits.TooManyElements;
            }

            if (depth > 0)
            {
                open[depth - 1]--;
            }

            if (IsNested(type))
            {
                if (depth == open.Length)
                {
                    return limits.TooDeep;
                }

                open[depth++] = items;
            }

            while (depth > 0 && open[depth - 1] == 0)
            {
                depth--;
            }
        }

        return at == bytes.Length ? null : NotWhole;
    }

    private static bool IsNested(byte type) => type is (>= 0x80 and <= 0x9F) or (>= 0xDC and <= 0xDF);

    // Returns the number of nested values that follow as parts of this value, and the number of bytes to skip. Returns false if the bytes are truncated.
    private static bool TryLength(ReadOnlySpan<byte> bytes, byte type, ref long at, out long items, out long skipped)
    {
        items = 0;
        skipped = 0;
        int lengthBytes = type switch
        {
            0xC4 or 0xC7 or 0xD9 => 1,
            0xC5 or 0xC8 or 0xDA or 0xDC or 0xDE => 2,
            0xC6 or 0xC9 or 0xDB or 0xDD or 0xDF => 4,
            _ => 0,
        };
        if (bytes.Length - at < lengthBytes)
        {
            return false;
        }

        ReadOnlySpan<byte> said = bytes.Slice((int)at, lengthBytes);
        at += lengthBytes;
        long length = lengthBytes switch
        {
            1 => said[0],
            2 => BinaryPrimitives.ReadUInt16BigEndian(said),
            4 => BinaryPrimitives.ReadUInt32BigEndian(said),
            _ => 0,
        };
        switch (type)
        {
            case >= 0x80 and <= 0x8F:
                items = (type & 0xF) * 2;
                break;
            case >= 0x90 and <= 0x9F:
                items = type & 0xF;
                break;
            case >= 0xA0 and <= 0xBF:
                skipped = type & 0x1F;
                break;
            case 0xDC or 0xDD:
                items = length;
                break;
            case 0xDE or 0xDF:
                items = length * 2;
                break;
            case >= 0xC7 and <= 0xC9:
                // An extension has a type byte before its data.
                skipped = length + 1;
                break;
            case 0xCC or 0xD0:
                skipped = 1;
                break;
            case 0xCD or 0xD1 or 0xD4:
                skipped = 2;
                break;
            case 0xCA or 0xCE or 0xD2:
                skipped = 4;
                break;
            case 0xCB or 0xCF or 0xD3:
                skipped = 8;
                break;
            case >= 0xD5 and <= 0xD8:
                skipped = (1L << (type - 0xD4)) + 1;
                break;
            default:
                // Text or binary data with an explicit length, or a value without further bytes, for which length is 0.
                skipped = length;
                break;
        }

        return bytes.Length - at >= skipped;
    }
}
