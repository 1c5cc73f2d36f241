using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>Looking at an item without using it.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>
    /// Looks at a live item and copies its value, as much of it as fits. Counts neither a hit nor a miss, and does not save the item from eviction.
    /// </summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="destination">Receives the beginning of a scalar's value; of another item nothing.</param>
    /// <returns>What it is; null where there is none.</returns>
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

    // A value that is not fixed may be overwritten meanwhile, and is short: it is read whole, and then cut.
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
