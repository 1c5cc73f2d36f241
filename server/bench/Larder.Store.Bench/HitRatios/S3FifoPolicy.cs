namespace Larder.Store.Bench;

/// <summary>
/// S3-FIFO as published (SOSP 2023): a small queue of a tenth of the capacity, a main queue, and a ghost queue with as many entries as the main queue.
/// </summary>
internal sealed class S3FifoPolicy : IPolicy
{
    private const byte MaxHits = 3;
    private readonly int _capacity;
    private readonly int _smallCapacity;
    private readonly Dictionary<int, Item> _items;
    private readonly Queue<Item> _small = new();
    private readonly Queue<Item> _main = new();
    private readonly Queue<int> _ghostOrder = new();
    private readonly HashSet<int> _ghosts = [];

    public S3FifoPolicy(int capacity)
    {
        _capacity = capacity;
        _smallCapacity = Math.Max(1, capacity / 10);
        _items = new Dictionary<int, Item>(capacity);
    }

    public bool Request(int key)
    {
        if (_items.TryGetValue(key, out Item? found))
        {
            found.Hits = (byte)Math.Min(found.Hits + 1, MaxHits);
            return true;
        }

        while (_items.Count >= _capacity)
        {
            Evict();
        }

        var item = new Item(key);
        _items.Add(key, item);
        (_ghosts.Remove(key) ? _main : _small).Enqueue(item);
        return false;
    }

    private void Evict()
    {
        if (_small.Count >= _smallCapacity || _main.Count == 0)
        {
            EvictSmall();
        }
        else
        {
            EvictMain();
        }
    }

    private void EvictSmall()
    {
        while (_small.TryDequeue(out Item? item))
        {
            if (item.Hits > 1)
            {
                item.Hits = 0;
                _main.Enqueue(item);
                continue;
            }

            _items.Remove(item.Key);
            Remember(item.Key);
            return;
        }
    }

    private void EvictMain()
    {
        while (_main.TryDequeue(out Item? item))
        {
            if (item.Hits > 0)
            {
                item.Hits--;
                _main.Enqueue(item);
                continue;
            }

            _items.Remove(item.Key);
            return;
        }
    }

    private void Remember(int key)
    {
        if (_ghosts.Add(key))
        {
            _ghostOrder.Enqueue(key);
        }

        while (_ghostOrder.Count > _capacity - _smallCapacity)
        {
            _ghosts.Remove(_ghostOrder.Dequeue());
        }
    }

    private sealed class Item(int key)
    {
        public int Key { get; } = key;

        public byte Hits { get; set; }
    }
}
