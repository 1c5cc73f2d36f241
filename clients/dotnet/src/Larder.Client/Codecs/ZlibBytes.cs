using System.Buffers.Binary;
using System.IO.Compression;

namespace Larder.Client.Codecs;

/// <summary>Compresses and decompresses bytes in the zlib format (RFC 1950). The input of decompression is untrusted.</summary>
internal static class ZlibBytes
{
    // The maximum ratio of decompressed to compressed length. Deflate expands one byte to at most 1,032 bytes (258 bytes from two bits), and the limit includes
    // a margin for block headers. If a value claims a higher ratio, the claim is false, and no memory is allocated for it.
    private const long MaxExpansion = 1040;

    // The constants of the Adler-32 checksum (RFC 1950). AdlerPrime is the largest prime below 65,536. After AdlerRun bytes, the sums must be reduced modulo
    // this prime, because they could overflow otherwise.
    private const uint AdlerPrime = 65_521;
    private const int AdlerRun = 5_552;
    private const int AdlerBytes = 4;

    public static byte[] Compress(ReadOnlyMemory<byte> bytes)
    {
        using MemoryStream into = new();
        using (ZLibStream zlib = new(into, CompressionLevel.Optimal, leaveOpen: true))
        {
            zlib.Write(bytes.Span);
        }

        return into.ToArray();
    }

    /// <summary>
    /// Returns the decompressed bytes. Returns null if their number differs from <paramref name="length"/>, or if the input is not a single complete zlib
    /// stream.
    /// </summary>
    public static byte[]? TryDecompress(ReadOnlyMemory<byte> compressed, int length)
    {
        if (compressed.Length < AdlerBytes || length > compressed.Length * MaxExpansion)
        {
            return null;
        }

        using LastByteApart from = new(compressed);
        using ZLibStream zlib = new(from, CompressionMode.Decompress);
        byte[] bytes = new byte[length];
        try
        {
            bool isWhole = zlib.ReadAtLeast(bytes, length, throwOnEndOfStream: false) == length && zlib.ReadByte() < 0;
            return isWhole && from.IsRead && IsSum(compressed.Span, bytes) ? bytes : null;
        }
        catch (InvalidDataException)
        {
            return null;
        }
    }

    // Verifies the checksum. This is necessary because .NET's ZLibStream accepts input that is truncated in or before the checksum.
    private static bool IsSum(ReadOnlySpan<byte> compressed, ReadOnlySpan<byte> bytes)
    {
        uint low = 1;
        uint high = 0;
        while (bytes.Length > 0)
        {
            ReadOnlySpan<byte> run = bytes[..Math.Min(bytes.Length, AdlerRun)];
            foreach (byte each in run)
            {
                low += each;
                high += low;
            }

            low %= AdlerPrime;
            high %= AdlerPrime;
            bytes = bytes[run.Length..];
        }

        return BinaryPrimitives.ReadUInt32BigEndian(compressed[^AdlerBytes..]) == ((high << 16) | low);
    }

    /// <summary>
    /// A stream that returns its last byte in a separate read. A decompressor that finishes before the last byte never reads it. <see cref="IsRead"/> is then
    /// false, which shows that the input has bytes after the zlib stream.
    /// </summary>
    private sealed class LastByteApart(ReadOnlyMemory<byte> bytes) : Stream
    {
        private int _given;

        public bool IsRead => _given == bytes.Length;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(Span<byte> buffer)
        {
            int left = bytes.Length - _given;
            int count = Math.Min(buffer.Length, left > 1 ? left - 1 : left);
            bytes.Span.Slice(_given, count).CopyTo(buffer);
            _given += count;
            return count;
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
