using System.Buffers.Binary;

namespace Larder.Store;

/// <summary>
/// Where a scan of a cache goes on. It names no table and no entry, so that neither growth nor eviction makes it stale; and it bears the cache's mark, so that
/// one of another cache, or of a server before, is known as such.
/// </summary>
/// <param name="Shard">The number of the shard.</param>
/// <param name="Rank">The lowest rank of it that is not shown yet (<see cref="ScanRank"/>).</param>
internal readonly record struct ScanCursor(int Shard, ulong Rank)
{
    private const int RankAt = sizeof(ulong);
    private const int ShardAt = RankAt + sizeof(uint);
    private const int Bytes = ShardAt + sizeof(ushort);

    /// <summary>Reads a cursor that may be anybody's; empty is the beginning.</summary>
    /// <returns>False where it is not of this cache.</returns>
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
