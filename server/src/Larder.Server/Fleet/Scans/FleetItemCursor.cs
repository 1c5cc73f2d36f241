using System.Buffers.Binary;
using System.Security.Cryptography;
using Larder.Store;

namespace Larder.Server.Fleet;

/// <summary>The position of a scan over a collection of the fleet. Every gateway accepts the cursors of other gateways.</summary>
/// <param name="Type">The type of the collection.</param>
/// <param name="Run">A digest of the run ID of the process in which the position is valid; 0 for a list, whose positions are valid on every node.</param>
/// <param name="Position">The cursor of the next HSCAN, SSCAN or ZSCAN command, or the index of the next list element. It is never 0.</param>
internal readonly record struct FleetItemCursor(ItemType Type, ulong Run, ulong Position)
{
    private const int KeyAt = sizeof(ulong);
    private const int RunAt = KeyAt + sizeof(ulong);
    private const int PositionAt = RunAt + sizeof(ulong);
    private const int TypeAt = PositionAt + sizeof(ulong);
    private const int Bytes = TypeAt + 1;

    // The maximum position in a list. No real list is nearly this long, and scripts represent numbers up to this value exactly.
    private const ulong LongestList = 1ul << 52;

    /// <summary>Parses a cursor. It may come from any client. It must not be empty.</summary>
    /// <returns>False if the cursor is invalid or belongs to another key or cache.</returns>
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

    /// <summary>Returns an 8-byte digest of a key or a run ID.</summary>
    public static ulong Digest(ReadOnlySpan<byte> text) => BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(text));
}
