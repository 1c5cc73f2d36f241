using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>Reads of items without side effects.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>
    /// Gets a live item and copies as much of its value as fits into the destination. The call is counted as neither a hit nor a miss, and does not protect the
    /// item from eviction.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="destination">Receives the start of a scalar's value. It is not changed for other types.</param>
    /// <returns>The item's properties; null if it does not exist.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public PeekedItem? Peek(ReadOnlySpan<byte> key, Span<byte> destination)
    {
        Shard shard = ShardOf(key, out ulong hash);
        ReaderSlot reader = _store.Epochs.Current;
        reader.Enter();
        try
        {
            EntryHeader* entry = LiveSpace is { } space ? shard.Find(KeyHash.InShard(hash), space.Id, key) : null;
            if (entry == null)
            {
                return null;
            }

            long expiresAtMs = EntryHeader.ReadExpiry(entry);
            if (_store.Clock.HasPassed(expiresAtMs) || HasRemoved(entry))
            {
                return null;
            }

            long remainingMs = Math.Max(expiresAtMs - _store.Clock.NowMs - 1, 0);
            return entry->Type == ItemType.Scalar
                ? new PeekedItem(entry->Type, remainingMs, entry->ValueLength, CopyBeginning(entry, destination))
                : new PeekedItem(entry->Type, remainingMs, ValueBytes: 0, CopiedBytes: 0);
        }
        finally
        {
            reader.Exit();
        }
    }

    // Copies the start of a value. A value that is not fixed may be overwritten during the read. Such values are short, so the whole value is copied and then
    // truncated.
    [SkipLocalsInit]
    private static int CopyBeginning(EntryHeader* entry, Span<byte> destination)
    {
        int count = Math.Min(entry->ValueLength, destination.Length);
        if (entry->IsFixed)
        {
            EntryHeader.Value(entry)[..count].CopyTo(destination);
            return count;
        }

        Span<byte> whole = stackalloc byte[EntryHeader.MaxCopiedValueBytes];
        whole = whole[..entry->ValueLength];
        EntryHeader.Read(entry, whole);
        whole[..count].CopyTo(destination);
        return count;
    }
}
