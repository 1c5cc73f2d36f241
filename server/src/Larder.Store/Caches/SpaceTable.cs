namespace Larder.Store;

/// <summary>The spaces by number. Changed under the store's directory lock, read by shards without one.</summary>
internal sealed class SpaceTable(Epochs epochs, int maxDead)
{
    private readonly Stack<int> _free = new();
    private readonly Queue<(Space Space, long Epoch)> _emptied = new();
    private volatile Space?[] _byId = new Space?[8];
    private volatile Space[] _dead = [];
    private int _numbered = 1;
    private long _lastFlush;

    /// <summary>
    /// Dead spaces that may await reclaim: each costs every shard its place in the accounts. Flushes reclaim, a part each, from half of it on.
    /// </summary>
    public int MaxDead => maxDead;

    /// <summary>Spaces that may hold entries still, in the order they were killed.</summary>
    public ReadOnlySpan<Space> Dead => _dead;

    /// <summary>Whether any cache ever had a quota: only then are bytes counted by space.</summary>
    public bool HaveQuotas { get; set; }

    /// <summary>The number of the last flush or deletion.</summary>
    public long LastFlush => Volatile.Read(ref _lastFlush);

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

    /// <summary>Nothing is written to the space by a write that begins after this; the flush's number is known last.</summary>
    public void Kill(Space space)
    {
        space.Kill(_lastFlush + 1);
        _dead = [.. _dead, space];
        Volatile.Write(ref _lastFlush, _lastFlush + 1);
    }

    /// <summary>Frees the numbers of dead spaces that hold nothing any more and that no reader can still be looking in.</summary>
    /// <param name="sweptFlush">The last flush of which no shard holds an entry, nor of any before it.</param>
    /// <param name="released">Called for each space whose number is free again.</param>
    public void Recycle(long sweptFlush, Action<Space> released)
    {
        Space[] dead = _dead;
        int swept = 0;
        while (swept < dead.Length && dead[swept].KilledIn <= sweptFlush)
        {
            _emptied.Enqueue((dead[swept++], epochs.Unlinked()));
        }

        if (swept > 0)
        {
            _dead = dead[swept..];
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
