namespace Larder.Redis;

/// <summary>
/// The tracked connections of a store, one for each reactor and master. The connections exist while there is a watch. Only these connections read keys for near
/// caches. Push messages that arrive on these connections are passed to the watch (<see cref="IKeyWatch"/>).
/// </summary>
internal sealed class KeyTracking(StoreContext context)
{
    private readonly Lock _lock = new();
    private readonly TrackingBarrier _barrier = new();
    private volatile IKeyWatch? _watch;
    private bool _isOver = true;

    /// <summary>Gets or sets the topology, which maps each slot to a node. Set once, before any command is sent.</summary>
    public Topology Topology { get; set; } = null!;

    /// <summary>Gets or sets a callback that causes <see cref="Tick"/> to be called soon. Set once, before any command is sent.</summary>
    public Action Wake { get; set; } = null!;

    /// <summary>Gets whether there is a watch.</summary>
    public bool IsWanted => _watch is not null;

    /// <summary>Sets the watch. Null removes the watch and closes the connections.</summary>
    public void Watch(IKeyWatch? watch)
    {
        _watch = watch;
        Wake();
    }

    /// <summary>Requests a confirmation (see <see cref="RedisStore.Confirm"/>).</summary>
    public long Confirm()
    {
        long number;
        lock (_lock)
        {
            number = _barrier.Ask();
        }

        Wake();
        return number;
    }

    /// <summary>Handles a push message from a node.</summary>
    public void OnPush(ReadOnlySpan<byte> frame)
    {
        if (_watch is { } watch)
        {
            InvalidationPush.Tell(frame, watch);
        }
    }

    /// <summary>Notifies the watch that any key may have changed unnoticed.</summary>
    public void Lose()
    {
        if (_watch is { } watch)
        {
            watch.Lost();
            Wake();
        }
    }

    /// <summary>Records the end of one read of the barrier.</summary>
    public void OnRead(bool isGood)
    {
        long confirmed;
        lock (_lock)
        {
            confirmed = _barrier.End(isGood);
        }

        if (confirmed > 0)
        {
            _watch?.Confirmed(confirmed);
        }
    }

    /// <summary>
    /// Opens or closes connections, and starts the barrier if it was requested. Returns true if the method must be called again soon. Not called concurrently.
    /// </summary>
    public bool Tick()
    {
        bool isWanted = IsWanted;
        if (!isWanted && _isOver)
        {
            return false;
        }

        // All steps use the same list of masters. Otherwise, a step could miss the tracked connections of a node that was removed in between.
        IReadOnlyList<RedisNode> masters = isWanted ? Topology.Masters : [];
        bool isReady = Prepare(masters) && (masters.Count > 0 || !isWanted);
        _isOver = !isWanted && isReady;
        if (!isWanted)
        {
            return !isReady;
        }

        bool begins;
        lock (_lock)
        {
            begins = _barrier.TryBegin(context.Elapsed);
        }

        if (begins)
        {
            Begin(isReady ? masters : []);
        }

        lock (_lock)
        {
            return !isReady || _barrier.IsUrgent;
        }
    }

    // Opens missing tracked connections and closes unneeded ones. Returns true if exactly these nodes have tracked connections.
    private bool Prepare(IReadOnlyList<RedisNode> masters)
    {
        bool isReady = true;
        foreach (RedisNode node in Topology.Nodes)
        {
            isReady &= masters.Contains(node) ? node.KeepTracked() : node.DropTracked();
        }

        return isReady;
    }

    // Sends a read on each existing connection. If one of these connections is lost later, its read fails.
    private void Begin(IReadOnlyList<RedisNode> masters)
    {
        bool isReady = masters.Count > 0;
        foreach (RedisNode master in masters)
        {
            int slot = Topology.OwnSlot(master);
            isReady &= slot >= 0 && Read(master, slot);
        }

        OnRead(isReady);
    }

    private bool Read(RedisNode master, int slot)
    {
        long deadline = context.Now + context.Timestamps(context.Options.ConnectTimeout + context.Options.SilenceLimit);
        foreach (NodeLane lane in master.Tracked)
        {
            lock (_lock)
            {
                _barrier.Add();
            }

            if (lane.Send(new BarrierRead(this, master, slot, deadline), asking: false) != SendOutcome.Taken)
            {
                OnRead(isGood: false);
                return false;
            }
        }

        return true;
    }
}
