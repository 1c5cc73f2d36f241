using System.Buffers.Binary;

namespace Larder.Server.Fleet;

/// <summary>Where a scan of a cache of the fleet goes on: any front reads what another wrote.</summary>
/// <param name="Map">The cluster's slots and masters as they were when the scan began; 0 before.</param>
/// <param name="Master">The number of the master, in the order of their names.</param>
/// <param name="Run">That master's process, which alone knows its positions; 0 before its first.</param>
/// <param name="Position">Where its SCAN goes on.</param>
internal readonly record struct FleetCursor(ulong Map, int Master, ulong Run, ulong Position)
{
    private const int MapAt = sizeof(ulong);
    private const int RunAt = MapAt + sizeof(ulong);
    private const int PositionAt = RunAt + sizeof(ulong);
    private const int MasterAt = PositionAt + sizeof(ulong);
    private const int Bytes = MasterAt + sizeof(ushort);

    /// <summary>Reads a cursor that may be anybody's; empty is the beginning.</summary>
    /// <returns>False where it is not of this cache.</returns>
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
