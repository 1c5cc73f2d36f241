using System.Buffers.Binary;

namespace Larder.Client.Codecs;

/// <summary>What stands before a typed value's bytes, and their compression (CODEC-1 to CODEC-6).</summary>
internal static class ValueEnvelope
{
    // 8,388,608: an item has at most 5,000,192 bytes (LIM-1), so this is every value that is stored uncompressed, and 1.6 times as much of a compressed one.
    public const int DefaultMaxDecodedBytes = 8 * 1024 * 1024;
    public const int MostDecodedBytes = 1024 * 1024 * 1024;
    public const int HeadBytes = 5;
    public const byte Nothing = 0;

    private const int LengthBytes = 4;
    private const byte AsItIs = 0;
    private const byte Zlib = 1;

    // C1 begins no UTF-8 text and no MessagePack value; 4C is Larder's; 1 is the version.
    private static ReadOnlySpan<byte> Mark => [0xC1, 0x4C, 1];

    /// <summary>The stored form of no value.</summary>
    public static byte[] OfNothing() => [.. Mark, Nothing, AsItIs];

    /// <summary>The stored form of a payload.</summary>
    /// <param name="content">What it is.</param>
    /// <param name="payload">Its bytes.</param>
    /// <param name="compressAbove">Longer ones are compressed, where they become smaller; null: none.</param>
    public static byte[] Wrap(byte content, ReadOnlyMemory<byte> payload, int? compressAbove)
    {
        if (payload.Length > compressAbove)
        {
            byte[] compressed = [.. Mark, content, Zlib, .. new byte[LengthBytes], .. ZlibBytes.Compress(payload)];
            BinaryPrimitives.WriteUInt32BigEndian(compressed.AsSpan(HeadBytes), (uint)payload.Length);
            if (compressed.Length < HeadBytes + payload.Length)
            {
                return compressed;
            }
        }

        return [.. Mark, content, AsItIs, .. payload.Span];
    }

    /// <summary>Why the stored bytes are no value of this content; null: they are.</summary>
    /// <param name="stored">The bytes.</param>
    /// <param name="content">What the codec reads.</param>
    /// <param name="maxDecodedBytes">The longest payload.</param>
    /// <param name="payload">Its bytes, decompressed; null: no value.</param>
    public static string? Unwrap(ReadOnlyMemory<byte> stored, byte content, int maxDecodedBytes, out ReadOnlyMemory<byte>? payload)
    {
        payload = null;
        ReadOnlySpan<byte> head = stored.Span;
        if (head.Length < HeadBytes || !head[..2].SequenceEqual(Mark[..2]))
        {
            return "The stored bytes are no typed value.";
        }

        if (head[2] != Mark[2] || head[4] > Zlib)
        {
            return $"The stored value is of a later version ({head[2]}, compression {head[4]}).";
        }

        ReadOnlyMemory<byte> rest = stored[HeadBytes..];
        if (head[3] == Nothing)
        {
            return head[4] == AsItIs && rest.Length == 0 ? null : "The stored bytes are no value, and not empty.";
        }

        if (head[3] != content)
        {
            return $"The stored value is of content {head[3]}; the codec reads {content}.";
        }

        if (head[4] == AsItIs)
        {
            payload = rest;
            return rest.Length <= maxDecodedBytes ? null : $"The stored value has {rest.Length} bytes; at most {maxDecodedBytes} are read.";
        }

        return Decompress(rest, maxDecodedBytes, out payload);
    }

    private static string? Decompress(ReadOnlyMemory<byte> rest, int maxDecodedBytes, out ReadOnlyMemory<byte>? payload)
    {
        payload = null;
        if (rest.Length < LengthBytes)
        {
            return "The stored value is cut short.";
        }

        uint length = BinaryPrimitives.ReadUInt32BigEndian(rest.Span);
        if (length > maxDecodedBytes)
        {
            return $"The stored value has {length} bytes when decompressed; at most {maxDecodedBytes} are read.";
        }

        if (ZlibBytes.TryDecompress(rest[LengthBytes..], (int)length) is not { } bytes)
        {
            return "The stored value cannot be decompressed to the length that it says.";
        }

        payload = bytes;
        return null;
    }
}
