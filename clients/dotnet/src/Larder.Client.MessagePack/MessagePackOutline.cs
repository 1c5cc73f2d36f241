using System.Buffers.Binary;

namespace Larder.Client.Codecs;

/// <summary>
/// Whether bytes are one whole MessagePack value. Looked at before it is read: an array in an array in an array that each say "all the bytes that are left"
/// would have room made for each, which takes the square of what is there.
/// </summary>
internal static class MessagePackOutline
{
    public const string NotWhole = "The stored value is not one whole MessagePack value.";
    private const byte Never = 0xC1;

    /// <summary>
    /// Returns why the bytes are not decoded, or null: they are cut short, too many, cannot hold what their arrays, maps, texts and bytes claim, or exceed a
    /// limit. Takes linear time.
    /// </summary>
    public static string? FindFault(ReadOnlySpan<byte> bytes, DecodeLimits limits)
    {
        // Values that are yet to come, of which each takes a byte at least: of all arrays and maps, and of each that is open. At most 8 KB of stack.
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

            // A value that is still to come is an element too, so that an array's claim is met at its beginning.
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

    // How many values follow that are part of this one, and how many bytes.
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
                // A type stands before an extension's bytes.
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
                // Texts and bytes, whose length was said; or one byte that says it all.
                skipped = length;
                break;
        }

        return bytes.Length - at >= skipped;
    }
}
