namespace Larder.Store;

/// <summary>The spaces by number. The table is modified under the store's directory lock. Shards read it without a lock.</summary>
internal sealed class SpaceTable(Epochs epochs, int maxDead)
{
    private readonly Stack<int> _free = new();
    private readonly Queue<(Space Space, long Epoch)> _emptied = new();
    private volatile Space?[] _byId = new Space?[8];
    private volatile Space[] _dead = [];
    private int _numbered = 1;
    private long _lastFlush;

    /// <summary>
    /// The maximum number of dead spaces that wait for reclaim. It is limited because each dead space occupies a slot in every shard's accounts. When more than
    /// half of this number wait, each flush does part of the reclaim.
    /// </summary>
    public int MaxDead => maxDead;

    /// <summary>The dead spaces that may still have entries, in the order in which they were killed.</summary>
    public ReadOnlySpan<Space> Dead => _dead;

    /// <summary>Whether any cache has ever had a quota. Bytes are counted per space only in this case.</summary>
    public bool HaveQuotas { get; set; }

    /// <summary>The sequence number of the last flush or deletion.</summary>
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

    /// <summary>Marks the space as dead. Writes that start after this call do not write to the space. The flush number is published last.</summary>
    public void Kill(Space space)
    {
        space.Kill(_lastFlush + 1);
        _dead = [.. _dead, space];
        Volatile.Write(ref _lastFlush, _lastFlush + 1);
    }

    /// <summary>Frees the numbers of dead spaces that are empty and that no reader can still access.</summary>
    /// <param name="sweptFlush">The number of a flush. No shard contains entries of spaces that died with this flush or earlier.</param>
    /// <param name="released">Called for each space whose number was freed.</param>
    public void Recycle(long sweptFlush, Action<Space> released)
    {
        Space[] dead = _dead;
        int swept = 0;
        while (swept < dead.Length && dead[swept].DeletedEpoch <= sweptFlush)
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
