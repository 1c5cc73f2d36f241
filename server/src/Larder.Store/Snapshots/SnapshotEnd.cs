using System.Buffers.Binary;

namespace Larder.Store.Snapshots;

/// <summary>What the last block says: a file without it was not finished.</summary>
/// <param name="Entries">Entries in all blocks.</param>
/// <param name="Caches">Caches in all blocks.</param>
/// <param name="EndedAtMs">When the writing ended, by the clocks that it began with: the wall's then, and the time passed since.</param>
internal readonly record struct SnapshotEnd(long Entries, long Caches, long EndedAtMs)
{
    public const int Bytes = 24;

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64LittleEndian(to, Entries);
        BinaryPrimitives.WriteInt64LittleEndian(to[8..], Caches);
        BinaryPrimitives.WriteInt64LittleEndian(to[16..], EndedAtMs);
    }

    public static SnapshotEnd Read(ReadOnlySpan<byte> from) => new(
        BinaryPrimitives.ReadInt64LittleEndian(from),
        BinaryPrimitives.ReadInt64LittleEndian(from[8..]),
        BinaryPrimitives.ReadInt64LittleEndian(from[16..]));
}
