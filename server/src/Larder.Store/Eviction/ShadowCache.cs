namespace Larder.Store;

/// <summary>
/// Simulates the store's eviction policy, S3-FIFO, on sampled keys without values. It estimates the hit ratio for a different memory size or a different share
/// of the small queue. The simulation follows the rules of the shards, but evicts single entries instead of segments.
/// </summary>
internal sealed class ShadowCache(double smallTarget)
{
    // The number of deleted entries that may remain in the queues, in addition to the number of live entries.
    private const int MaxDropped = 1024;

    private readonly Dictionary<ulong, Item> _items = [];
    private readonly Queue<Item> _small = new();
    private readonly Queue<Item> _main = new();
    private readonly Queue<ulong> _ghostOrder = new();
    private readonly HashSet<ulong> _ghosts = [];
    private long _smallBytes;
    private long _mainBytes;

    /// <summary>The share of the small queue, 0 to 1.</summary>
    public double SmallTarget { get; set; } = smallTarget;

    public long Hits { get; private set; }

    public long Lookups { get; private set; }

    public int Entries => _items.Count;

    public double HitRatio => Lookups == 0 ? 0 : (double)Hits / Lookups;

    /// <summary>Simulates one access in a cache of this size.</summary>
    public void Play(in AccessSample access, long capacityBytes)
    {
        bool held = _items.TryGetValue(access.Hash, out Item? item);
        if (access.Kind is AccessKind.Hit or AccessKind.Miss)
        {
            Lookups++;
            Hits += held ? 1 : 0;
        }

        if (access.Kind == AccessKind.Delete)
        {
            Drop(access.Hash, item);
        }
        else if (held && access.Kind != AccessKind.Set)
        {
            item!.Hits = (byte)Math.Min(item.Hits + 1, EntryHeader.MaxFrequency);
        }
        else if (held)
        {
            Resize(item!, access.SizeBytes);
        }
        else if (access.Kind != AccessKind.Miss)
        {
            // The access was a hit or a write in the store, but the key is missing in the simulation. After such a miss, a caller would write the entry, so it
            // is added to the simulation.
            Admit(access);
        }

        while (_smallBytes + _mainBytes > capacityBytes && EvictOne(capacityBytes))
        {
        }
    }

    /// <summary>Halves the counts, so that later accesses have more weight.</summary>
    public void Fade()
    {
        Hits /= 2;
        Lookups /= 2;
    }

    private void Admit(in AccessSample access)
    {
        if (_small.Count + _main.Count > (2 * _items.Count) + MaxDropped)
        {
            ForgetDropped(_small);
            ForgetDropped(_main);
        }

        var item = new Item(access.Hash, access.SizeBytes) { IsInMainQueue = _ghosts.Remove(access.Hash) };
        _items.Add(access.Hash, item);
        Enqueue(item, item.IsInMainQueue);
    }

    private void Enqueue(Item item, bool main)
    {
        item.IsInMainQueue = main;
        if (main)
        {
            _main.Enqueue(item);
            _mainBytes += item.SizeBytes;
        }
        else
        {
            _small.Enqueue(item);
            _smallBytes += item.SizeBytes;
        }
    }

    private void Resize(Item item, int sizeBytes)
    {
        int change = sizeBytes - item.SizeBytes;
        item.SizeBytes = sizeBytes;
        if (item.IsInMainQueue)
        {
            _mainBytes += change;
        }
        else
        {
            _smallBytes += change;
        }
    }

    private void Drop(ulong hash, Item? item)
    {
        if (item is not null)
        {
            // A deleted entry keeps its position in the queue, with size 0, until it is evicted.
            Resize(item, 0);
            _items.Remove(hash);
        }
    }

    private bool EvictOne(long capacityBytes)
    {
        bool fromSmall = _small.Count > 0 && (_smallBytes > capacityBytes * SmallTarget || _main.Count == 0);
        if (!(fromSmall ? _small : _main).TryDequeue(out Item? item))
        {
            return false;
        }

        if (fromSmall)
        {
            _smallBytes -= item.SizeBytes;
        }
        else
        {
            _mainBytes -= item.SizeBytes;
        }

        bool dropped = IsDropped(item);
        if (!dropped && item.Hits > 0)
        {
            item.Hits = fromSmall ? (byte)0 : (byte)(item.Hits - 1);
            Enqueue(item, main: true);
        }
        else if (!dropped)
        {
            _items.Remove(item.Hash);
            if (fromSmall)
            {
                Remember(item.Hash);
            }
        }

        return true;
    }

    private bool IsDropped(Item item) => !_items.TryGetValue(item.Hash, out Item? current) || !ReferenceEquals(current, item);

    private void ForgetDropped(Queue<Item> queue)
    {
        for (int left = queue.Count; left > 0; left--)
        {
            Item item = queue.Dequeue();
            if (!IsDropped(item))
            {
                queue.Enqueue(item);
            }
        }
    }

    private void Remember(ulong hash)
    {
        if (_ghosts.Add(hash))
        {
            _ghostOrder.Enqueue(hash);
        }

        while (_ghostOrder.Count > Math.Max(_items.Count, 16))
        {
            _ghosts.Remove(_ghostOrder.Dequeue());
        }
    }

    private sealed class Item(ulong hash, int sizeBytes)
    {
        public ulong Hash { get; } = hash;

        public int SizeBytes { get; set; } = sizeBytes;

        public byte Hits { get; set; }

        public bool IsInMainQueue { get; set; }
    }
}
