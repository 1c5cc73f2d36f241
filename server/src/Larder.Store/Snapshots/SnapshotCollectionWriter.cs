using System.Buffers.Binary;
using Larder.Store.Collections;

namespace Larder.Store.Snapshots;

/// <summary>
/// Writes the collections that a walk has found. Each collection is written between two steps of the walk. A collection is copied in pieces, each of which is
/// an atomic snapshot. No other call waits while a piece is written. A collection that consists of one piece is therefore consistent. In a larger collection,
/// elements that exist during the whole copy are included. Elements that are added, removed or changed during the copy may appear in their old or new state.
/// </summary>
internal sealed unsafe class SnapshotCollectionWriter(SnapshotBlockWriter blocks, SnapshotSpaces spaces, long wallAheadMs, CancellationToken cancelled)
{
    // The maximum number of attempts to write a list. If the middle of the list changes during an attempt, the next attempt starts from the beginning of the
    // list. The last attempt ignores such changes, so elements may be duplicated or missing.
    private const int MaxStartedPieces = 8;

    private readonly CollectionPiece _piece = new();
    private byte[] _key = [];
    private Cache? _wanted;
    private ItemType _type;
    private byte _worth;
    private int _passedNumber;

    /// <summary>The number of first pieces written. A list that is written again from the beginning is counted again.</summary>
    public long Entries { get; private set; }

    /// <summary>Visits the entry of a collection within the epoch of the walk.</summary>
    /// <returns>
    /// True if the walk can continue, because the collection has been written or has expired. If false, the collection is written after this step, and its
    /// entry is visited again.
    /// </returns>
    public bool TryPass(EntryHeader* entry, QueueKind queue, int number, long nowMs)
    {
        ReadOnlySpan<byte> key = EntryHeader.Key(entry);
        bool isWritten = number == _passedNumber && key.SequenceEqual(_key);
        _passedNumber = 0;
        if (isWritten || EntryHeader.ReadExpiry(entry) <= nowMs)
        {
            return true;
        }

        _key = key.ToArray();
        (_wanted, _type, _worth, _passedNumber) = (spaces.CacheOf(entry->SpaceId), entry->Type, SnapshotRecord.WorthOf(entry->Frequency, queue), number);
        return false;
    }

    /// <summary>Writes the collection that was found in the last step. Called outside any epoch.</summary>
    public void WriteWanted()
    {
        if (_wanted is not { } cache)
        {
            return;
        }

        _wanted = null;
        for (int beginnings = 1; !TryWrite(cache, isLast: beginnings == MaxStartedPieces);)
        {
            beginnings++;
        }
    }

    private bool TryWrite(Cache cache, bool isLast)
    {
        CollectionCursor cursor = new(isLast ? RemovalBehavior.GoOn : RemovalBehavior.Refuse);
        SnapshotRecord first = default;
        while (!cursor.IsDone)
        {
            cancelled.ThrowIfCancellationRequested();
            CollectionOutcome outcome = cache.CopyPiece(_key, _type, ref cursor, _piece);
            if (outcome == CollectionOutcome.Changed)
            {
                return false;
            }

            int number = outcome == CollectionOutcome.Ok ? spaces.NumberOf(_piece.Space) : 0;
            if (first.KeyBytes == 0 && number != 0)
            {
                first = new SnapshotRecord((byte)_type, SnapshotPart.First, _worth, number, _key.Length, 0, _piece.ExpiresAtMs + wallAheadMs);
                Write(first, _key);
                Entries++;
            }
            else if (number == 0 || number != first.Cache)
            {
                if (first.KeyBytes > 0)
                {
                    _piece.Clear();
                    Write(first with { Part = SnapshotPart.Gone, KeyBytes = 0 }, default);
                }

                return true;
            }
            else
            {
                Write(first with { Part = SnapshotPart.More, KeyBytes = 0 }, default);
            }
        }

        return true;
    }

    private void Write(SnapshotRecord record, ReadOnlySpan<byte> key)
    {
        record = record with { ValueBytes = SnapshotRecord.PieceBytes + _piece.Bytes.Length };
        if (!blocks.HasRoom(record.SizeBytes))
        {
            blocks.Begin(SnapshotBlockKind.Entries, record.SizeBytes);
        }

        Span<byte> to = blocks.Next(record.SizeBytes);
        record.Write(to);
        key.CopyTo(to[SnapshotRecord.Bytes..]);
        to = to[(SnapshotRecord.Bytes + key.Length)..];
        BinaryPrimitives.WriteInt64LittleEndian(to, _piece.ChargedBytes);
        _piece.Bytes.CopyTo(to[SnapshotRecord.PieceBytes..]);
        blocks.Added(record.SizeBytes);
    }
}
