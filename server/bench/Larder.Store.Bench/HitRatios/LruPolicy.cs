namespace Larder.Store.Bench;

/// <summary>The least recently used policy.</summary>
internal sealed class LruPolicy(int capacity) : IPolicy
{
    private readonly Dictionary<int, LinkedListNode<int>> _nodes = new(capacity);
    private readonly LinkedList<int> _order = new();

    public bool Request(int key)
    {
        if (_nodes.TryGetValue(key, out LinkedListNode<int>? node))
        {
            _order.Remove(node);
            _order.AddFirst(node);
            return true;
        }

        if (_nodes.Count == capacity)
        {
            _nodes.Remove(_order.Last!.Value);
            _order.RemoveLast();
        }

        _nodes.Add(key, _order.AddFirst(key));
        return false;
    }
}
