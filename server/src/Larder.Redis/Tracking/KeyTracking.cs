namespace Larder.Redis;

/// <summary>
/// The tracked connections of a store, one for each reactor and master: they are there while somebody watches, and no others are read on for near copies. What
/// they say goes to the watch; see <see cref="IKeyWatch"/>.
/// </summary>
internal sealed class KeyTracking(StoreContext context)
{
    private readonly Lock _lock = new();
    private readonly TrackingBarrier _barrier = new();
    private volatile IKeyWatch? _watch;
    private bool _isOver = true;

    /// <summary>Which node has which slot; set once, before anything is sent.</summary>
    public Topology Topology { get; set; } = null!;

    /// <summary>Has <see cref="Tick"/> called soon; set once, too.</summary>
    public Action Wake { get; set; } = null!;

    /// <summary>Whether somebody watches.</summary>
    public bool IsWanted => _watch is not null;

    /// <summary>Has somebody told from now on; null: nobody, and the connections are let go.</summary>
    public void Watch(IKeyWatch? watch)
    {
        _watch = watch;
        Wake();
    }

    /// <summary>See <see cref="RedisStore.Confirm"/>.</summary>
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

    /// <summary>A node has said something unasked.</summary>
    public void OnPush(ReadOnlySpan<byte> frame)
    {
        if (_watch is { } watch)
        {
            InvalidationPush.Tell(frame, watch);
        }
    }

    /// <summary>Keys may have changed unseen.</summary>
    public void Lose()
    {
        if (_watch is { } watch)
        {
            watch.Lost();
            Wake();
        }
    }

    /// <summary>A part of the barrier has ended.</summary>
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

    /// <summary>Makes connections, or lets them go, and begins what was asked for. True while there is more to do soon. By one thread at a time.</summary>
    public bool Tick()
    {
        bool isWanted = IsWanted;
        if (!isWanted && _isOver)
        {
            return false;
        }

        // One list for all that follows: a node that is left is either read on or its connections have ended.
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
            return !isReady || _barrier.IsPressing;
        }
    }

    // True where all these are tracked, and no other node is.
    private bool Prepare(IReadOnlyList<RedisNode> masters)
    {
        bool isReady = true;
        foreach (RedisNode node in Topology.Nodes)
        {
            isReady &= masters.Contains(node) ? node.KeepTracked() : node.DropTracked();
        }

        return isReady;
    }

    // Of the connections as they are now: one that is lost from here on ends its read.
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
