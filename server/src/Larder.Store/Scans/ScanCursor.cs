using System.Buffers.Binary;

namespace Larder.Store;

/// <summary>
/// The position of a scan. The position does not refer to a table or an entry, so index growth and eviction do not invalidate it. A serialized cursor includes
/// a number that identifies the cache, so that cursors of other caches or processes are detected.
/// </summary>
/// <param name="Shard">The number of the shard.</param>
/// <param name="Rank">The lowest rank of the shard that has not been returned yet (<see cref="ScanRank"/>).</param>
internal readonly record struct ScanCursor(int Shard, ulong Rank)
{
    private const int RankAt = sizeof(ulong);
    private const int ShardAt = RankAt + sizeof(uint);
    private const int Bytes = ShardAt + sizeof(ushort);

    /// <summary>Parses a cursor, which may be any sequence of bytes. Empty bytes give the start position.</summary>
    /// <returns>False if the bytes are not a cursor of this cache.</returns>
    public static bool TryRead(ReadOnlySpan<byte> from, ulong mark, int shards, out ScanCursor cursor)
    {
        cursor = default;
        if (from.IsEmpty)
        {
            return true;
        }

        if (from.Length != Bytes || BinaryPrimitives.ReadUInt64LittleEndian(from) != mark)
        {
            return false;
        }

        cursor = new ScanCursor(BinaryPrimitives.ReadUInt16LittleEndian(from[ShardAt..]), BinaryPrimitives.ReadUInt32LittleEndian(from[RankAt..]));
        return cursor.Shard < shards;
    }

    public byte[] Write(ulong mark)
    {
        byte[] to = new byte[Bytes];
        BinaryPrimitives.WriteUInt64LittleEndian(to, mark);
        BinaryPrimitives.WriteUInt32LittleEndian(to.AsSpan(RankAt), (uint)Rank);
        BinaryPrimitives.WriteUInt16LittleEndian(to.AsSpan(ShardAt), (ushort)Shard);
        return to;
    }
}
