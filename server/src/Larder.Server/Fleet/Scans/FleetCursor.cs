using System.Buffers.Binary;

namespace Larder.Server.Fleet;

/// <summary>The position of a scan over a cache of the fleet. Every gateway accepts the cursors of other gateways.</summary>
/// <param name="Map">A digest of the cluster's slot assignment when the scan began; 0 before the first page.</param>
/// <param name="Master">The index of the master, in the order of the masters' addresses.</param>
/// <param name="Run">A digest of the master's run ID, because the position is valid only in that process; 0 before the master's first page.</param>
/// <param name="Position">The cursor of the next SCAN command on that master.</param>
internal readonly record struct FleetCursor(ulong Map, int Master, ulong Run, ulong Position)
{
    private const int MapAt = sizeof(ulong);
    private const int RunAt = MapAt + sizeof(ulong);
    private const int PositionAt = RunAt + sizeof(ulong);
    private const int MasterAt = PositionAt + sizeof(ulong);
    private const int Bytes = MasterAt + sizeof(ushort);

    /// <summary>Parses a cursor. It may come from any client. An empty cursor means the start of a scan.</summary>
    /// <returns>False if the cursor is invalid or belongs to another cache.</returns>
    public static bool TryRead(ReadOnlySpan<byte> from, long cacheId, out FleetCursor cursor)
    {
        cursor = default;
        if (from.IsEmpty)
        {
            return true;
        }

        if (from.Length != Bytes || BinaryPrimitives.ReadInt64LittleEndian(from) != cacheId)
        {
            return false;
        }

        cursor = new FleetCursor(
            BinaryPrimitives.ReadUInt64LittleEndian(from[MapAt..]),
            BinaryPrimitives.ReadUInt16LittleEndian(from[MasterAt..]),
            BinaryPrimitives.ReadUInt64LittleEndian(from[RunAt..]),
            BinaryPrimitives.ReadUInt64LittleEndian(from[PositionAt..]));
        return cursor.Map != 0;
    }

    public byte[] Write(long cacheId)
    {
        byte[] to = new byte[Bytes];
        BinaryPrimitives.WriteInt64LittleEndian(to, cacheId);
        BinaryPrimitives.WriteUInt64LittleEndian(to.AsSpan(MapAt), Map);
        BinaryPrimitives.WriteUInt64LittleEndian(to.AsSpan(RunAt), Run);
        BinaryPrimitives.WriteUInt64LittleEndian(to.AsSpan(PositionAt), Position);
        BinaryPrimitives.WriteUInt16LittleEndian(to.AsSpan(MasterAt), (ushort)Master);
        return to;
    }
}
