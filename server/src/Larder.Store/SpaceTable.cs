namespace Larder.Store;

/// <summary>The spaces by number. Changed under the store's directory lock, read by shards without one.</summary>
internal sealed class SpaceTable(Epochs epochs)
{
    /// <summary>Dead spaces that may await reclaim; at the bound a flush reclaims them itself before it returns.</summary>
    public const int MaxDead = 1024;

    private readonly Stack<int> _free = new();
    private readonly List<Space> _dead = [];
    private readonly Queue<(Space Space, long Epoch)> _emptied = new();
    private volatile Space?[] _byId = new Space?[8];
    private int _numbered = 1;

    public int DeadCount => _dead.Count;

    public Space this[int id] => _byId[id]!;

    public Space Create(Cache cache)
    {
        int id = _free.TryPop(out int free) ? free : _numbered++;
        Space?[] byId = _byId;
        if (id >= byId.Length)
        {
            Array.Resize(ref byId, byId.Length * 2);
        }

        var space = new Space(id, cache);
        byId[id] = space;
        _byId = byId;
        return space;
    }

    public void Kill(Space space)
    {
        space.Kill();
        _dead.Add(space);
    }

    /// <summary>Frees the numbers of dead spaces that hold nothing any more and that no reader can still be looking in.</summary>
    /// <param name="isEmpty">Whether no shard holds an entry of the space.</param>
    /// <param name="released">Called for each space whose number is free again.</param>
    public void Recycle(Predicate<Space> isEmpty, Action<Space> released)
    {
        for (int i = _dead.Count - 1; i >= 0; i--)
        {
            if (isEmpty(_dead[i]))
            {
                _emptied.Enqueue((_dead[i], epochs.Unlinked()));
                _dead[i] = _dead[^1];
                _dead.RemoveAt(_dead.Count - 1);
            }
        }

        if (_emptied.Count > 0)
        {
            epochs.Advance();
        }

        while (_emptied.TryPeek(out (Space Space, long Epoch) first) && first.Epoch <= epochs.Safe)
        {
            _emptied.Dequeue();
            _free.Push(first.Space.Id);
            released(first.Space);
        }
    }
}
