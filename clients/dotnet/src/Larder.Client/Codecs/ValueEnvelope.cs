using System.Buffers.Binary;

namespace Larder.Client.Codecs;

/// <summary>
/// Encodes and decodes the envelope of a typed value. The envelope consists of a header and the encoded bytes, which may be compressed (CODEC-1 to CODEC-6).
/// </summary>
internal static class ValueEnvelope
{
    // 8,388,608 bytes. An item has at most 5,000,192 bytes (LIM-1), so every uncompressed value fits. A compressed value may decompress to up to 1.6 times this
    // size.
    public const int DefaultMaxDecodedBytes = 8 * 1024 * 1024;
    public const int DecodedBytesLimit = 1024 * 1024 * 1024;
    public const int HeadBytes = 5;
    public const byte Nothing = 0;

    private const int LengthBytes = 4;
    private const byte AsItIs = 0;
    private const byte Zlib = 1;

    // The first bytes of the header. No UTF-8 text and no MessagePack value starts with C1. 4C identifies Larder, and 1 is the version.
    private static ReadOnlySpan<byte> Mark => [0xC1, 0x4C, 1];

    /// <summary>Returns the stored form of null.</summary>
    public static byte[] EncodeNull() => [.. Mark, Nothing, AsItIs];

    /// <summary>Returns the stored form of a payload.</summary>
    /// <param name="content">The content type.</param>
    /// <param name="payload">The payload's bytes.</param>
    /// <param name="compressAbove">
    /// The length in bytes above which a payload is compressed if this makes it smaller. If null, payloads are never compressed.
    /// </param>
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

    /// <summary>
    /// Extracts the payload from a stored value. Returns the reason why the stored bytes are not a valid value with this content type, or null on success.
    /// </summary>
    /// <param name="stored">The stored bytes.</param>
    /// <param name="content">The content type that the codec decodes.</param>
    /// <param name="maxDecodedBytes">The maximum length of the decompressed payload, in bytes.</param>
    /// <param name="payload">The payload's bytes, decompressed. Null if the stored value is null.</param>
    public static string? Unwrap(ReadOnlyMemory<byte> stored, byte content, int maxDecodedBytes, out ReadOnlyMemory<byte>? payload)
    {
        payload = null;
        ReadOnlySpan<byte> head = stored.Span;
        if (head.Length < HeadBytes || !head[..2].SequenceEqual(Mark[..2]))
        {
            return "The stored bytes are not a typed value.";
        }

        if (head[2] != Mark[2] || head[4] > Zlib)
        {
            return $"The stored value was written by a newer version of the client (version {head[2]}, compression {head[4]}); update this client.";
        }

        ReadOnlyMemory<byte> rest = stored[HeadBytes..];
        if (head[3] == Nothing)
        {
            return head[4] == AsItIs && rest.Length == 0 ? null : "The stored bytes are marked as null, but are not empty.";
        }

        if (head[3] != content)
        {
            return $"The stored value has content type {head[3]}, but the codec reads content type {content}.";
        }

        if (head[4] == AsItIs)
        {
            payload = rest;
            return rest.Length <= maxDecodedBytes ? null : $"The stored value has {rest.Length} bytes; MaxDecodedBytes allows at most {maxDecodedBytes}.";
        }

        return Decompress(rest, maxDecodedBytes, out payload);
    }

    private static string? Decompress(ReadOnlyMemory<byte> rest, int maxDecodedBytes, out ReadOnlyMemory<byte>? payload)
    {
        payload = null;
        if (rest.Length < LengthBytes)
        {
            return "The stored value is truncated.";
        }

        uint length = BinaryPrimitives.ReadUInt32BigEndian(rest.Span);
        if (length > maxDecodedBytes)
        {
            return $"The stored value has {length} bytes when decompressed; MaxDecodedBytes allows at most {maxDecodedBytes}.";
        }

        if (ZlibBytes.TryDecompress(rest[LengthBytes..], (int)length) is not { } bytes)
        {
            return "The stored value cannot be decompressed to its stated length.";
        }

        payload = bytes;
        return null;
    }
}
