namespace Larder.Store.Snapshots;

/// <summary>
/// The file's numbers (ADR-0077), all little-endian: a header of 40 bytes, whose form no later version changes; blocks of entries; blocks of the caches;
/// an end mark. Each block bears the file's own random number, its own number and a checksum of all of it, so that no block of another file, or
/// of an older one, passes for one of this.
/// </summary>
internal static class SnapshotFormat
{
    public const uint Version = 1;

    /// <summary>A block of entries is written when the next does not fit: large enough that a write to the disk is worth its call.</summary>
    public const int BlockBytes = 256 << 10;

    /// <summary>
    /// The longest payload: one entry of the longest key and value that a store may be told to take, 8,000,000 bytes, or the longest key with a piece of a
    /// collection.
    /// </summary>
    public const int MaxPayloadBytes = 8_000_000 + BlockBytes + (1 << 10);

    /// <summary>What a file begins with. The first byte is no text.</summary>
    public static ReadOnlySpan<byte> Magic => [0x89, (byte)'L', (byte)'R', (byte)'D', (byte)'S', (byte)'N', (byte)'A', (byte)'P'];
}
