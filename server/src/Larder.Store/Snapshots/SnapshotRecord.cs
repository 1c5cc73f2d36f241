using System.Buffers.Binary;
using Larder.Store.Collections;

namespace Larder.Store.Snapshots;

/// <summary>
/// One entry in a block: 24 bytes, then key and value. The first byte says what the item holds and in which form, so that a form that is not known is
/// never taken for another. A collection is one record or more, one after the other: the first has the key, and each a piece of the elements
/// (<see cref="CollectionPiece"/>) behind 8 bytes that say how many the collection's blocks take.
/// </summary>
/// <param name="Type">What the item holds, and how it is written: the number of its <see cref="ItemType"/>, or <see cref="ScalarWithTail"/>.</param>
/// <param name="Part">Which part of a collection it is.</param>
/// <param name="Worth">How much the entry deserves to stay: hits not yet used up, and <see cref="MainQueue"/>.</param>
/// <param name="Cache">The number of its cache.</param>
/// <param name="KeyBytes">The key's length.</param>
/// <param name="ValueBytes">The value's length.</param>
/// <param name="ExpiresAtMs">When it expires, in milliseconds since 1970 by the wall clock that the writing began with.</param>
internal readonly record struct SnapshotRecord(byte Type, SnapshotPart Part, byte Worth, int Cache, int KeyBytes, int ValueBytes, long ExpiresAtMs)
{
    public const int Bytes = 24;

    /// <summary>Bytes before the elements of a piece.</summary>
    public const int PieceBytes = sizeof(long);

    // 256 TiB, more than a machine's memory. Sums of sizes are saturated, but a size that is rounded up must not overflow.
    private const long MaxCollectionBytes = 1L << 48;

    /// <summary>The form of a scalar.</summary>
    public const byte Scalar = 0;

    /// <summary>The form of a scalar with a tail (<see cref="EntryTail"/>), which stands before the value and is counted with it.</summary>
    public const byte ScalarWithTail = (byte)ItemType.SortedSet + 1;

    /// <summary>In <see cref="Worth"/>: the entry had been hit often enough to leave the queue of new ones.</summary>
    public const byte MainQueue = EntryHeader.MaxFrequency + 1;

    /// <summary>How many worths there are.</summary>
    public const int Worths = 2 * MainQueue;

    /// <summary>The worth of an entry.</summary>
    public static byte WorthOf(byte frequency, QueueKind queue) => (byte)(frequency | (queue == QueueKind.Main ? MainQueue : 0));

    private const int CacheAt = 4;
    private const int KeyAt = 8;
    private const int ValueAt = 12;
    private const int ExpiryAt = 16;

    public bool IsCollection => Type is not (Scalar or ScalarWithTail);

    public int SizeBytes => Bytes + KeyBytes + ValueBytes;

    public void Write(Span<byte> to)
    {
        to[0] = Type;
        to[1] = Worth;
        to[2] = (byte)Part;
        to[3] = 0;
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
            (SnapshotPart)from[2],
            from[1],
            BinaryPrimitives.ReadInt32LittleEndian(from[CacheAt..]),
            BinaryPrimitives.ReadInt32LittleEndian(from[KeyAt..]),
            BinaryPrimitives.ReadInt32LittleEndian(from[ValueAt..]),
            BinaryPrimitives.ReadInt64LittleEndian(from[ExpiryAt..]));
        if (record.Type > ScalarWithTail || record.Part > (record.IsCollection ? SnapshotPart.Gone : SnapshotPart.First))
        {
            throw new SnapshotException(SnapshotFault.Newer, $"it holds an item of form {record.Type}, which this version of Larder does not know");
        }

        bool hasKey = record.Part == SnapshotPart.First ? record.KeyBytes > 0 : record.KeyBytes == 0;
        bool fits = hasKey && record.ValueBytes >= (record.IsCollection ? PieceBytes : 0) && (long)record.KeyBytes + record.ValueBytes <= from.Length - Bytes;
        bool isWhole = record.Type != ScalarWithTail || (fits && EntryTail.Begins(from.Slice(Bytes + record.KeyBytes, record.ValueBytes)));
        bool isSized = !record.IsCollection || (fits && PieceSizeOf(from[(Bytes + record.KeyBytes)..]) is >= 0 and <= MaxCollectionBytes);
        return fits && isWhole && isSized && record.Worth < Worths ? record : throw Broken();
    }

    /// <summary>Bytes that the entry takes in a store.</summary>
    /// <param name="value">Its value, or its first piece.</param>
    public long StoredBytes(ReadOnlySpan<byte> value) => IsCollection
        ? EntryHeader.SizeOf(KeyBytes, sizeof(long)) + PieceSizeOf(value)
        : EntryHeader.SizeOf(KeyBytes, ValueBytes);

    // What a piece says that its collection's blocks take.
    private static long PieceSizeOf(ReadOnlySpan<byte> piece) => BinaryPrimitives.ReadInt64LittleEndian(piece);

    private static SnapshotException Broken() => new(SnapshotFault.Damaged, "a block of it holds no whole entries");
}
