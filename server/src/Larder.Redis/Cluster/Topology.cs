using System.Collections.Concurrent;

namespace Larder.Redis;

/// <summary>The nodes that are known, and which of them has which slot; learnt by asking them (FLEET-2).</summary>
internal sealed class Topology
{
    // One that slots are being moved to is named by ASK and not in the map: it is not left between two calls.
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
    private string _whyUnknown = "No node has answered yet.";
    private long _refreshed;
    private int _turn;

    public Topology(StoreContext context, CommandRouter router)
    {
        _context = context;
        _router = router;
        _seeds = [.. context.Options.EndPoints.Distinct().Select(NodeAt)];
    }

    /// <summary>All nodes.</summary>
    public IEnumerable<RedisNode> Nodes => _nodes.Values;

    /// <summary>Those that have slots; of one server that server.</summary>
    public IReadOnlyList<RedisNode> Masters => _masters;

    /// <summary>Whether the engine is a cluster; null while that is not known.</summary>
    public bool? IsCluster => _isKnown ? _isCluster : null;

    public int CoveredSlots => _slots.Covered;

    /// <summary>Times that the map was read.</summary>
    public long Refreshed => Interlocked.Read(ref _refreshed);

    /// <summary>Whether every node that was asked refuses our name or password.</summary>
    public bool IsRefused => !_isKnown && _seeds.All(static seed => seed.IsRefused);

    /// <summary>Why calls cannot be answered; null where they can.</summary>
    public string? WhyNotReady
    {
        get
        {
            if (!_isKnown)
            {
                RedisNode? failed = _seeds.FirstOrDefault(static seed => seed.WhyNot is not null);
                return failed is null ? Volatile.Read(ref _whyUnknown) : $"Redis at {failed.EndPoint} does not answer: {failed.WhyNot}";
            }

            RedisNode[] masters = _masters;
            return masters.Any(static master => master.IsConnected)
                ? null
                : $"No master of the {(_isCluster ? "cluster" : "server")} is connected: {string.Join("; ", masters.Select(Describe))}";
        }
    }

    /// <summary>The master of a slot, or any where it is below 0; null where there is none.</summary>
    public RedisNode? MasterFor(int slot) => slot >= 0 ? _slots[slot] : AnyMaster();

    /// <summary>Any slot that is this master's; below 0 where none is.</summary>
    public int OwnSlot(RedisNode master) => _slots.FirstOf(master, Random.Shared.Next(KeySlot.Count));

    /// <summary>The node there; it may be new.</summary>
    public RedisNode NodeAt(RedisEndPoint endPoint) =>
        _nodes.GetOrAdd(endPoint, static (endPoint, self) => new RedisNode(self._context, endPoint, self._router), this);

    /// <summary>Has the map read soon.</summary>
    public void Want(RedisNode? knownBy)
    {
        lock (_lock)
        {
            _policy.Want(knownBy);
        }
    }

    /// <summary>A slot has moved; the node that said so knows more.</summary>
    public void OnMoved(int slot, RedisNode target, RedisNode sender)
    {
        if (_slots.Move(slot, target))
        {
            _router.Tracking.Lose();
        }

        Want(sender);
    }

    /// <summary>Reads the map where it is time, and keeps masters connected. True while something is under way.</summary>
    public bool Tick()
    {
        RedisNode? preferred;
        bool begins;
        bool isPressing;
        lock (_lock)
        {
            begins = _policy.TryBegin(
                _context.Elapsed, _masters.Any(static master => !master.IsConnected), _router.Tracking.IsWanted, out preferred);
            isPressing = _policy.IsPressing;
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

    /// <summary>The map as the node that was asked has it.</summary>
    public void OnSlots(RedisNode asked, IReadOnlyList<SlotRange> ranges)
    {
        if (ranges.Count == 0)
        {
            // A node that was taken out of its cluster, or never was in one.
            OnUnread($"{asked.EndPoint} knows of no slots: it is in no cluster, or was taken out of it.");
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

    /// <summary>The node that was asked is in no cluster. It is asked who it is now.</summary>
    public void OnAlone(RedisNode asked)
    {
        _router.Send(new HelloCommand(this, asked, _context.Now + _context.Timestamps(_context.Options.SilenceLimit)));
        FlushList.Current.Flush();
    }

    /// <summary>A node that is in no cluster has said who it is: the engine, unless it follows another.</summary>
    public void OnHello(RedisNode asked, HelloReply hello)
    {
        asked.Hello = hello;
        if (hello.IsReplica)
        {
            OnUnread($"{asked.EndPoint} is a replica: name its master in the store's URL.");
            return;
        }

        Apply([(0, KeySlot.Count - 1, asked)], isCluster: false);
        Retire([asked.EndPoint]);
    }

    /// <summary>The map could not be read; another node is asked next.</summary>
    public void OnUnread(string why)
    {
        Volatile.Write(ref _whyUnknown, why);
        lock (_lock)
        {
            _policy.End(_context.Elapsed, isRead: false);
        }
    }

    /// <summary>Closes all.</summary>
    public Task Close(Exception reason) => Task.WhenAll(_nodes.Values.Select(node => node.Close(reason)));

    private static string Describe(RedisNode node) => $"{node.EndPoint}: {node.WhyNot ?? "connecting"}";

    private void Ask(RedisNode node)
    {
        var question = new SlotsCommand(this, node, _context.Now + _context.Timestamps(_context.Options.ConnectTimeout + _context.Options.SilenceLimit));
        _router.Send(question);
        FlushList.Current.Flush();
    }

    // A master that answers; else each node in turn, the seeds with them: all that is known may be gone.
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

        // Another has their slots now.
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
            NodeQuestions.Ask(_context, master, _router);
        }
    }

    // Nodes that are in the map no more are left once nothing is on them; seeds are kept in mind, unconnected.
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
            node.Drop(new NotNeededException());
        }
        else if (_nodes.TryRemove(node.EndPoint, out _))
        {
            node.IsLeft = true;
            _ = node.Close(new NotNeededException());
            _router.TakeHome(node);
        }
    }
}
