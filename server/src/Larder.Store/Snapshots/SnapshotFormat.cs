namespace Larder.Store.Snapshots;

/// <summary>
/// Constants of the file format (ADR-0077). All numbers are little-endian. The file consists of a header of 40 bytes, whose format never changes, blocks of
/// entries, blocks of caches, and an end mark. Each block contains the file's random id, its own number and a checksum, so that a block of another file or an
/// older file is not mistaken for a block of this file.
/// </summary>
internal static class SnapshotFormat
{
    public const uint Version = 1;

    /// <summary>The size of a block of entries. It is large enough to make disk writes efficient.</summary>
    public const int BlockBytes = 256 << 10;

    /// <summary>
    /// The maximum size of a payload: one entry with the largest key and value of any store (8,000,000 bytes), or the largest key with a piece of a collection.
    /// </summary>
    public const int MaxPayloadBytes = 8_000_000 + BlockBytes + (1 << 10);

    /// <summary>The first bytes of a file. The first byte is not a text character.</summary>
    public static ReadOnlySpan<byte> Magic => [0x89, (byte)'L', (byte)'R', (byte)'D', (byte)'S', (byte)'N', (byte)'A', (byte)'P'];
}
