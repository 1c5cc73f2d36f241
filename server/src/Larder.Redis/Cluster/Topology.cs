using System.Collections.Concurrent;

namespace Larder.Redis;

/// <summary>The known nodes and their slots, which are discovered by querying the nodes (FLEET-2).</summary>
internal sealed class Topology
{
    // The time for which a node is kept after the slot map or a redirect last named the node. While slots are moved to a new node, ASK redirects name this
    // node, but the map does not contain it yet. The node must not be removed between two commands that are redirected to it.
    private static readonly TimeSpan s_keptFor = TimeSpan.FromMinutes(1);

    private readonly StoreContext _context;
    private readonly CommandRouter _router;
    private readonly ConcurrentDictionary<RedisEndPoint, RedisNode> _nodes = new();
    private readonly SlotTable _slots = new();
    private readonly RefreshPolicy _policy = new();
    private readonly Lock _lock = new();
    private readonly IReadOnlyList<RedisNode> _seeds;
    private volatile RedisNode[] _masters = [];
    private volatile bool _isCluster;
    private volatile bool _isKnown;
    private string _unknownReason = "No node has responded yet.";
    private long _refreshed;
    private int _turn;

    public Topology(StoreContext context, CommandRouter router)
    {
        _context = context;
        _router = router;
        _seeds = [.. context.Options.EndPoints.Distinct().Select(NodeAt)];
    }

    /// <summary>Gets all nodes.</summary>
    public IEnumerable<RedisNode> Nodes => _nodes.Values;

    /// <summary>Gets the nodes that have slots; for a single server, that server.</summary>
    public IReadOnlyList<RedisNode> Masters => _masters;

    /// <summary>Gets whether the engine is a cluster; null if not yet known.</summary>
    public bool? IsCluster => _isKnown ? _isCluster : null;

    public int CoveredSlots => _slots.Covered;

    /// <summary>Gets the number of times that the slot map was read.</summary>
    public long Refreshed => Interlocked.Read(ref _refreshed);

    /// <summary>Gets whether all configured nodes reject the user name or password.</summary>
    public bool IsRefused => !_isKnown && _seeds.All(static seed => seed.IsRefused);

    /// <summary>Gets a description of why commands cannot be executed; null if they can be executed.</summary>
    public string? WhyNotReady
    {
        get
        {
            if (!_isKnown)
            {
                RedisNode? failed = _seeds.FirstOrDefault(static seed => seed.WhyNot is not null);
                return failed is null ? Volatile.Read(ref _unknownReason) : $"Redis at {failed.EndPoint} is unreachable: {failed.WhyNot}";
            }

            RedisNode[] masters = _masters;
            return masters.Any(static master => master.IsConnected)
                ? null
                : $"No master of the {(_isCluster ? "cluster" : "server")} is connected: {string.Join("; ", masters.Select(Describe))}";
        }
    }

    /// <summary>Returns the master of a slot, or any master if the slot is negative. Returns null if there is no master.</summary>
    public RedisNode? MasterFor(int slot) => slot >= 0 ? _slots[slot] : AnyMaster();

    /// <summary>Returns a random slot of this master, or a negative number if the master has no slot.</summary>
    public int OwnSlot(RedisNode master) => _slots.FirstOf(master, Random.Shared.Next(KeySlot.Count));

    /// <summary>Returns the node at an endpoint, and creates it if necessary.</summary>
    public RedisNode NodeAt(RedisEndPoint endPoint) =>
        _nodes.GetOrAdd(endPoint, static (endPoint, self) => new RedisNode(self._context, endPoint, self._router), this);

    /// <summary>Requests a read of the slot map.</summary>
    public void Want(RedisNode? knownBy)
    {
        lock (_lock)
        {
            _policy.Want(knownBy);
        }
    }

    /// <summary>
    /// Records that a slot has moved. Requests a read of the slot map from the node that reported the move, because that node has the new map.
    /// </summary>
    public void OnMoved(int slot, RedisNode target, RedisNode sender)
    {
        if (_slots.Move(slot, target))
        {
            _router.Tracking.Lose();
        }

        Want(sender);
    }

    /// <summary>Reads the slot map if a read is due, and keeps masters connected. Returns true while a read is urgent or a master is not connected.</summary>
    public bool Tick()
    {
        RedisNode? preferred;
        bool begins;
        bool isPressing;
        lock (_lock)
        {
            begins = _policy.TryBegin(
                _context.Elapsed, _masters.Any(static master => !master.IsConnected), _router.Tracking.IsWanted, out preferred);
            isPressing = _policy.IsUrgent;
        }

        if (begins)
        {
            Ask(preferred ?? Candidate());
        }

        foreach (RedisNode master in _masters)
        {
            if (!master.IsConnected)
            {
                master.KeepConnected();
                isPressing = true;
            }
        }

        return isPressing || begins;
    }

    /// <summary>Applies the slot map that a node returned.</summary>
    public void OnSlots(RedisNode asked, IReadOnlyList<SlotRange> ranges)
    {
        if (ranges.Count == 0)
        {
            // The node that returned the map was removed from its cluster, or never belonged to a cluster.
            OnUnread($"{asked.EndPoint} has no cluster slots: it was never part of the cluster or was removed from it.");
            return;
        }

        Apply([.. ranges.Select(range => (range.First, range.Last, Node: NodeAt(range.Master)))], isCluster: true);
        foreach (SlotRange range in ranges)
        {
            foreach (RedisEndPoint replica in range.Replicas)
            {
                NodeAt(replica).Slots += range.Last - range.First + 1;
            }
        }

        Retire([.. ranges.SelectMany(static range => range.Replicas.Append(range.Master))]);
    }

    /// <summary>Handles the error from a node that does not belong to a cluster: queries the current role of the node.</summary>
    public void OnAlone(RedisNode asked)
    {
        _router.Send(new HelloCommand(this, asked, _context.Now + _context.Timestamps(_context.Options.SilenceLimit)));
        FlushList.Current.Flush();
    }

    /// <summary>Handles the role that a node outside a cluster has reported. The node is used as the engine unless it is a replica.</summary>
    public void OnHello(RedisNode asked, HelloReply hello)
    {
        asked.Hello = hello;
        if (hello.IsReplica)
        {
            OnUnread($"{asked.EndPoint} is a replica. Use the address of its master in the store's URL.");
            return;
        }

        Apply([(0, KeySlot.Count - 1, asked)], isCluster: false);
        Retire([asked.EndPoint]);
    }

    /// <summary>Handles a failed read of the slot map. The next read uses another node.</summary>
    public void OnUnread(string why)
    {
        Volatile.Write(ref _unknownReason, why);
        lock (_lock)
        {
            _policy.End(_context.Elapsed, isRead: false);
        }
    }

    /// <summary>Closes all connections.</summary>
    public Task Close(Exception reason) => Task.WhenAll(_nodes.Values.Select(node => node.Close(reason)));

    private static string Describe(RedisNode node) => $"{node.EndPoint}: {node.WhyNot ?? "connecting"}";

    private void Ask(RedisNode node)
    {
        var question = new SlotsCommand(this, node, _context.Now + _context.Timestamps(_context.Options.ConnectTimeout + _context.Options.SilenceLimit));
        _router.Send(question);
        FlushList.Current.Flush();
    }

    // Returns the connected masters in turn. If no master is connected, returns all nodes in turn, including the configured nodes, because all discovered nodes
    // may have been removed.
    private RedisNode Candidate()
    {
        int turn = Interlocked.Increment(ref _turn);
        RedisNode[] answering = [.. _masters.Where(static master => master.IsConnected)];
        RedisNode[] all = answering.Length > 0 ? answering : [.. _seeds.Concat(_nodes.Values)];
        return all[(int)((uint)turn % (uint)all.Length)];
    }

    private RedisNode? AnyMaster()
    {
        RedisNode[] masters = _masters;
        if (masters.Length == 0)
        {
            return null;
        }

        int turn = (int)((uint)Interlocked.Increment(ref _turn) % (uint)masters.Length);
        for (int step = 0; step < masters.Length; step++)
        {
            RedisNode master = masters[(turn + step) % masters.Length];
            if (master.IsConnected)
            {
                return master;
            }
        }

        return masters[turn];
    }

    private void Apply((int First, int Last, RedisNode Node)[] ranges, bool isCluster)
    {
        foreach (RedisNode node in _nodes.Values)
        {
            node.Slots = 0;
            node.IsMaster = false;
        }

        foreach ((int first, int last, RedisNode node) in ranges)
        {
            node.IsMaster = true;
            node.Slots += last - first + 1;
        }

        int changed = _slots.Replace(ranges);
        _masters = [.. ranges.Select(static range => range.Node).Distinct().OrderBy(static node => node.EndPoint.ToString(), StringComparer.Ordinal)];
        _isCluster = isCluster;
        _isKnown = true;
        if (changed > 0)
        {
            _router.Tracking.Lose();
        }

        // These nodes have no slots any more. The commands that wait for them are retried now, on the new masters of the slots.
        foreach (RedisNode node in _nodes.Values.Where(static node => !node.IsMaster))
        {
            node.Waiting.MakeDue();
        }

        Interlocked.Increment(ref _refreshed);
        lock (_lock)
        {
            _policy.End(_context.Elapsed, isRead: true);
        }

        foreach (RedisNode master in _masters)
        {
            NodeQueries.Ask(_context, master, _router);
        }
    }

    // Removes nodes that are no longer in the map and have no commands. The configured nodes are kept, but disconnected.
    private void Retire(HashSet<RedisEndPoint> known)
    {
        TimeSpan now = _context.Elapsed;
        foreach (RedisNode node in _nodes.Values)
        {
            if (known.Contains(node.EndPoint))
            {
                node.NamedAt = now;
            }
            else if (node.IsIdle && now - node.NamedAt > s_keptFor)
            {
                Leave(node);
            }
        }
    }

    private void Leave(RedisNode node)
    {
        if (_seeds.Contains(node))
        {
            node.Drop(new NodeRemovedException());
        }
        else if (_nodes.TryRemove(node.EndPoint, out _))
        {
            node.IsLeft = true;
            _ = node.Close(new NodeRemovedException());
            _router.AssignWaiting(node);
        }
    }
}
