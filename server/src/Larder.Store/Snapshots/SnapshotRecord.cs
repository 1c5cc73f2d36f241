using System.Buffers.Binary;

namespace Larder.Store.Snapshots;

/// <summary>
/// One entry in a block: 24 bytes, then key and value. The first byte says what the item holds and in which form, so that a form that is not known is
/// never taken for another.
/// </summary>
/// <param name="Type">What the item holds, and how it is written.</param>
/// <param name="Worth">How much the entry deserves to stay: hits not yet used up, and <see cref="MainQueue"/>.</param>
/// <param name="Cache">The number of its cache.</param>
/// <param name="KeyBytes">The key's length.</param>
/// <param name="ValueBytes">The value's length.</param>
/// <param name="ExpiresAtMs">When it expires, in milliseconds since 1970 by the wall clock that the writing began with.</param>
internal readonly record struct SnapshotRecord(byte Type, byte Worth, int Cache, int KeyBytes, int ValueBytes, long ExpiresAtMs)
{
    public const int Bytes = 24;

    /// <summary>The form of a scalar.</summary>
    public const byte Scalar = 0;

    /// <summary>In <see cref="Worth"/>: the entry had been hit often enough to leave the queue of new ones.</summary>
    public const byte MainQueue = EntryHeader.MaxFrequency + 1;

    /// <summary>How many worths there are.</summary>
    public const int Worths = 2 * MainQueue;

    private const int CacheAt = 4;
    private const int KeyAt = 8;
    private const int ValueAt = 12;
    private const int ExpiryAt = 16;

    public int SizeBytes => Bytes + KeyBytes + ValueBytes;

    public void Write(Span<byte> to)
    {
        to[0] = Type;
        to[1] = Worth;
        to[2] = to[3] = 0;
        BinaryPrimitives.WriteInt32LittleEndian(to[CacheAt..], Cache);
        BinaryPrimitives.WriteInt32LittleEndian(to[KeyAt..], KeyBytes);
        BinaryPrimitives.WriteInt32LittleEndian(to[ValueAt..], ValueBytes);
        BinaryPrimitives.WriteInt64LittleEndian(to[ExpiryAt..], ExpiresAtMs);
    }

    /// <summary>Reads the record that a block goes on with; key and value are behind it.</summary>
    /// <exception cref="SnapshotException">There is none that this version reads.</exception>
    public static SnapshotRecord Read(ReadOnlySpan<byte> from)
    {
        if (from.Length < Bytes)
        {
            throw Broken();
        }

        SnapshotRecord record = new(
            from[0],
            from[1],
            BinaryPrimitives.ReadInt32LittleEndian(from[CacheAt..]),
            BinaryPrimitives.ReadInt32LittleEndian(from[KeyAt..]),
            BinaryPrimitives.ReadInt32LittleEndian(from[ValueAt..]),
            BinaryPrimitives.ReadInt64LittleEndian(from[ExpiryAt..]));
        if (record.Type != Scalar)
        {
            throw new SnapshotException(SnapshotFault.Newer, $"it holds an item of form {record.Type}, which this version of Larder does not know");
        }

        bool fits = record.KeyBytes > 0 && record.ValueBytes >= 0 && (long)record.KeyBytes + record.ValueBytes <= from.Length - Bytes;
        return fits && record.Worth < Worths ? record : throw Broken();
    }

    private static SnapshotException Broken() => new(SnapshotFault.Damaged, "a block of it holds no whole entries");
}
