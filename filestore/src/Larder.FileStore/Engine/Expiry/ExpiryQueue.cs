using System.Diagnostics.CodeAnalysis;

namespace Larder.FileStore.Engine;

/// <summary>
/// The entries that expire, soonest first. Replaced entries stay in the queue until their deadline, or until they outnumber the live entries and the queue is
/// rebuilt. The length is therefore bounded by twice the number of entries plus <see cref="Slack"/>.
/// </summary>
internal sealed class ExpiryQueue
{
    private const int Slack = 64;
    private readonly PriorityQueue<Entry, long> _queue = new();

    internal int Length => _queue.Count;

    internal void Add(Entry entry, int liveEntries, EntrySet set)
    {
        if (_queue.Count >= liveEntries * 2L + Slack)
        {
            Rebuild(set);
        }
        _queue.Enqueue(entry, entry.Deadline);
    }

    internal void Clear() => _queue.Clear();

    internal bool MayHaveBefore(long tick) => _queue.TryPeek(out _, out long soonest) && soonest <= tick;

    internal bool TryTakeExpired(long now, EntrySet set, [NotNullWhen(true)] out Entry? expired)
    {
        while (_queue.TryPeek(out Entry? entry, out long deadline) && deadline <= now)
        {
            _queue.Dequeue();
            if (!set.Holds(entry))
            {
                continue;
            }
            if (entry.Deadline <= now)
            {
                expired = entry;
                return true;
            }
            _queue.Enqueue(entry, entry.Deadline);
        }
        expired = null;
        return false;
    }

    private void Rebuild(EntrySet set)
    {
        List<(Entry, long)> kept = [];
        foreach ((Entry entry, _) in _queue.UnorderedItems)
        {
            if (set.Holds(entry))
            {
                kept.Add((entry, entry.Deadline));
            }
        }
        _queue.Clear();
        _queue.EnqueueRange(kept);
    }
}
