using System.Buffers.Binary;
using System.Security.Cryptography;
using Larder.Store;

namespace Larder.Server.Fleet;

/// <summary>Where a scan of a collection of the fleet goes on: any front reads what another wrote.</summary>
/// <param name="Type">What the collection is.</param>
/// <param name="Run">The process that alone knows the position; of a list 0, whose positions are any process's.</param>
/// <param name="Position">Where its HSCAN, SSCAN or ZSCAN goes on, or the index of a list's next element; never 0.</param>
internal readonly record struct FleetItemCursor(ItemType Type, ulong Run, ulong Position)
{
    private const int KeyAt = sizeof(ulong);
    private const int RunAt = KeyAt + sizeof(ulong);
    private const int PositionAt = RunAt + sizeof(ulong);
    private const int TypeAt = PositionAt + sizeof(ulong);
    private const int Bytes = TypeAt + 1;

    // Elements of the longest list that a node holds, by far; a script's numbers are exact up to it.
    private const ulong LongestList = 1ul << 52;

    /// <summary>Reads a cursor that may be anybody's; not of an empty one.</summary>
    /// <returns>False where it is not of this key of this cache.</returns>
    public static bool TryRead(ReadOnlySpan<byte> from, long cacheId, ReadOnlySpan<byte> key, out FleetItemCursor cursor)
    {
        cursor = default;
        if (from.Length != Bytes
            || BinaryPrimitives.ReadInt64LittleEndian(from) != cacheId
            || BinaryPrimitives.ReadUInt64LittleEndian(from[KeyAt..]) != Digest(key))
        {
            return false;
        }

        cursor = new FleetItemCursor(
            (ItemType)from[TypeAt],
            BinaryPrimitives.ReadUInt64LittleEndian(from[RunAt..]),
            BinaryPrimitives.ReadUInt64LittleEndian(from[PositionAt..]));
        return cursor is { Type: > ItemType.Scalar and <= ItemType.SortedSet, Position: > 0 }
            && (cursor.Type != ItemType.List || cursor.Position < LongestList);
    }

    public byte[] Write(long cacheId, ReadOnlySpan<byte> key)
    {
        byte[] to = new byte[Bytes];
        BinaryPrimitives.WriteInt64LittleEndian(to, cacheId);
        BinaryPrimitives.WriteUInt64LittleEndian(to.AsSpan(KeyAt), Digest(key));
        BinaryPrimitives.WriteUInt64LittleEndian(to.AsSpan(RunAt), Run);
        BinaryPrimitives.WriteUInt64LittleEndian(to.AsSpan(PositionAt), Position);
        to[TypeAt] = (byte)Type;
        return to;
    }

    /// <summary>A key, or the name of a process, in 8 bytes.</summary>
    public static ulong Digest(ReadOnlySpan<byte> text) => BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(text));
}
