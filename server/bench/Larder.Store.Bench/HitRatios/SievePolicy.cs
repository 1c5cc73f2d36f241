namespace Larder.Store.Bench;

/// <summary>
/// SIEVE (NSDI 2024): one queue, one visited bit per object, and a hand that moves from old to new objects. After an eviction, the next search begins at the
/// position of the evicted object.
/// </summary>
internal sealed class SievePolicy(int capacity) : IPolicy
{
    private readonly Dictionary<int, LinkedListNode<Item>> _nodes = new(capacity);
    private readonly LinkedList<Item> _order = new();
    private LinkedListNode<Item>? _hand;

    public bool Request(int key)
    {
        if (_nodes.TryGetValue(key, out LinkedListNode<Item>? node))
        {
            node.Value.Visited = true;
            return true;
        }

        if (_nodes.Count == capacity)
        {
            Evict();
        }

        _nodes.Add(key, _order.AddFirst(new Item(key)));
        return false;
    }

    private void Evict()
    {
        LinkedListNode<Item> victim = _hand ?? _order.Last!;
        while (victim.Value.Visited)
        {
            victim.Value.Visited = false;
            victim = victim.Previous ?? _order.Last!;
        }

        _hand = victim.Previous;
        _nodes.Remove(victim.Value.Key);
        _order.Remove(victim);
    }

    private sealed class Item(int key)
    {
        public int Key { get; } = key;

        public bool Visited { get; set; }
    }
}
