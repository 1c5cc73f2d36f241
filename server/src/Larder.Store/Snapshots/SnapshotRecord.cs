using System.Buffers.Binary;
using Larder.Store.Collections;

namespace Larder.Store.Snapshots;

/// <summary>
/// The record of an entry: 24 bytes, followed by the key and the value. The first byte is the item's type and encoding, so that an unknown encoding is never
/// mistaken for another. A collection consists of one or more consecutive records. Only the first record has the key. The value of each record is the size of
/// the collection's blocks in memory (8 bytes) and a piece of the collection's elements (<see cref="CollectionPiece"/>).
/// </summary>
/// <param name="Type">
/// The item's type and encoding: the number of its <see cref="ItemType"/>, <see cref="ScalarWithTail"/> or <see cref="ScalarWithValidator"/>.
/// </param>
/// <param name="Part">Which part of a collection the record contains.</param>
/// <param name="Worth">The priority for keeping the entry: its remaining hits, plus <see cref="MainQueue"/> if it was in the main queue.</param>
/// <param name="Cache">The number of the entry's cache.</param>
/// <param name="KeyBytes">The length of the key, in bytes.</param>
/// <param name="ValueBytes">The length of the value, in bytes.</param>
/// <param name="ExpiresAtMs">The expiry time in milliseconds since 1970, by the wall clock at the start of the writing.</param>
internal readonly record struct SnapshotRecord(byte Type, SnapshotPart Part, byte Worth, int Cache, int KeyBytes, int ValueBytes, long ExpiresAtMs)
{
    public const int Bytes = 24;

    /// <summary>The number of bytes before the elements of a piece.</summary>
    public const int PieceBytes = sizeof(long);

    // The maximum size of a collection is 256 TiB, which is more than the memory of any machine. A sum of sizes that overflows is replaced by the maximum
    // 64-bit value. A single size must not overflow when it is rounded up.
    private const long MaxCollectionBytes = 1L << 48;

    /// <summary>The encoding of a scalar.</summary>
    public const byte Scalar = 0;

    /// <summary>
    /// The encoding of a scalar with a tail (<see cref="EntryTail"/>). The tail is stored before the value, and is included in the length of the value.
    /// </summary>
    public const byte ScalarWithTail = (byte)ItemType.SortedSet + 1;

    /// <summary>
    /// The encoding of a scalar with a tail that contains a validator. It differs from <see cref="ScalarWithTail"/> so that a version of Larder without
    /// validators rejects the file.
    /// </summary>
    public const byte ScalarWithValidator = ScalarWithTail + 1;

    /// <summary>The flag in <see cref="Worth"/> that is set if the entry was in the main queue.</summary>
    public const byte MainQueue = EntryHeader.MaxFrequency + 1;

    /// <summary>The number of different values of <c>Worth</c>.</summary>
    public const int Worths = 2 * MainQueue;

    /// <summary>Returns the worth of an entry with this number of hits in this queue.</summary>
    public static byte WorthOf(byte frequency, QueueKind queue) => (byte)(frequency | (queue == QueueKind.Main ? MainQueue : 0));

    private const int CacheAt = 4;
    private const int KeyAt = 8;
    private const int ValueAt = 12;
    private const int ExpiryAt = 16;

    public bool IsCollection => Type is not (Scalar or ScalarWithTail or ScalarWithValidator);

    public bool HasTail => Type is ScalarWithTail or ScalarWithValidator;

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

    /// <summary>Parses the record at the start of the bytes. The key and the value follow the record.</summary>
    /// <exception cref="SnapshotException">The bytes are not a record that this version can read.</exception>
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
        if (record.Type > ScalarWithValidator || record.Part > (record.IsCollection ? SnapshotPart.Gone : SnapshotPart.First))
        {
            throw new SnapshotException(
                SnapshotFault.Newer,
                $"the file contains an item of type {record.Type}, which this version of Larder does not support; update Larder");
        }

        bool hasKey = record.Part == SnapshotPart.First ? record.KeyBytes > 0 : record.KeyBytes == 0;
        bool fits = hasKey && record.ValueBytes >= (record.IsCollection ? PieceBytes : 0) && (long)record.KeyBytes + record.ValueBytes <= from.Length - Bytes;
        bool isWhole = !record.HasTail
            || (fits && EntryTail.Begins(from.Slice(Bytes + record.KeyBytes, record.ValueBytes), record.Type == ScalarWithValidator));
        bool isSized = !record.IsCollection || (fits && PieceSizeOf(from[(Bytes + record.KeyBytes)..]) is >= 0 and <= MaxCollectionBytes);
        return fits && isWhole && isSized && record.Worth < Worths ? record : throw Broken();
    }

    /// <summary>Returns the number of bytes that the entry needs in a store.</summary>
    /// <param name="value">The value in this record: the value of a scalar, or the first piece of a collection.</param>
    public long StoredBytes(ReadOnlySpan<byte> value) => IsCollection
        ? EntryHeader.SizeOf(KeyBytes, sizeof(long)) + PieceSizeOf(value)
        : EntryHeader.SizeOf(KeyBytes, ValueBytes);

    // Returns the size of the collection's blocks in memory. Every piece begins with this size.
    private static long PieceSizeOf(ReadOnlySpan<byte> piece) => BinaryPrimitives.ReadInt64LittleEndian(piece);

    private static SnapshotException Broken() => new(SnapshotFault.Damaged, "a block contains an incomplete entry");
}
