using Larder.Wire;
using Larder.Wire.Sockets;
using Larder.Wire.Threads;

namespace Larder.Redis;

/// <summary>One Redis server or a cluster, which is found by asking. Starts at once without waiting, and works once it is there.</summary>
public sealed class RedisStore : IAsyncDisposable
{
    // The 10-second reading of the map, and what was left by a thread that did not flush, are seen to by then though nothing else is under way.
    private static readonly TimeSpan s_idleTick = TimeSpan.FromSeconds(1);

    private readonly StoreContext _context;
    private readonly CommandRouter _router;
    private readonly Topology _topology;
    private readonly KeyTracking _tracking;
    private readonly Ticker _ticker;
    private readonly ITimer _idleTimer;
    private readonly List<RedisCommand> _due = [];
    private int _isTicking;

    private RedisStore(RedisOptions options)
    {
        _context = new StoreContext(options);
        _tracking = new KeyTracking(_context);
        _router = new CommandRouter(_context) { Tracking = _tracking };
        _router.Topology = _tracking.Topology = _topology = new Topology(_context, _router);
        _ticker = new Ticker(_context.Time, Tick);
        _tracking.Wake = _ticker.Wake;
        _idleTimer = _context.Time.CreateTimer(static state => ((RedisStore)state!)._ticker.Wake(), this, s_idleTick, s_idleTick);
    }

    /// <summary>Whether calls can be answered: the engine is known, and one master at least is connected.</summary>
    public bool IsReady => WhyNotReady is null;

    /// <summary>Why not, for people; null where it is ready.</summary>
    public string? WhyNotReady => _context.IsClosed ? "The store is closed." : _topology.WhyNotReady;

    /// <summary>The masters now; the numbers of <see cref="SendTo(int, RedisCommand)"/> are below it.</summary>
    public int MasterCount => _topology.Masters.Count;

    /// <summary>The masters now, ordered by their names.</summary>
    public IReadOnlyList<RedisEndPoint> Masters => [.. _topology.Masters.Select(static master => master.EndPoint)];

    /// <summary>The master of a slot now; of a slot below 0 any master. Null while there is none.</summary>
    public RedisEndPoint? MasterOf(int slot) => _topology.MasterFor(slot)?.EndPoint;

    /// <summary>Whether it is a cluster; null while that is not known.</summary>
    public bool? IsCluster => _topology.IsCluster;

    /// <summary>The lane whose connections are read by the present thread; 0 on a thread that reads none.</summary>
    public static int PresentLane => ReactorThread.Current?.Reactor.Index ?? 0;

    /// <summary>Begins to look for the engine.</summary>
    public static RedisStore Start(RedisOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfZero(options.EndPoints.Count);
        using AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
        RedisStore store = new(options);
        store.Tick();
        store._ticker.Wake();
        return store;
    }

    /// <summary>
    /// Sends a command to the master of its slot, or to any master where it has none. Never blocks, and throws for a command that is not whole alone: what
    /// cannot be sent fails by <see cref="RedisCommand.OnFailure"/>, which may be called within this call. Travels with <see cref="Flush"/>. Commands of one
    /// thread and <see cref="RedisCommand.Lane"/> to one key are run in their order, unless they are of different sizes around 64 KB, or one has to be sent
    /// again.
    /// </summary>
    /// <exception cref="InvalidOperationException">It has fewer arguments than it was begun with.</exception>
    public void Send(RedisCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        _router.Send(command);
        _ticker.Wake();
    }

    /// <summary>Sends a command to one master by its number, and nowhere else; see <see cref="MasterCount"/>. One that has gone meanwhile fails it.</summary>
    /// <exception cref="InvalidOperationException">It has fewer arguments than it was begun with.</exception>
    public void SendTo(int master, RedisCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        IReadOnlyList<RedisNode> masters = _topology.Masters;
        if (master < 0 || master >= masters.Count)
        {
            _context.Fail(command, new RedisFailure(RedisFailureKind.Unavailable, NotExecuted: true, "There is no master of that number."));
            return;
        }

        command.Pinned = masters[master];
        Send(command);
    }

    /// <summary>Sends a command to one master, and nowhere else. One that is none any more fails it.</summary>
    /// <exception cref="InvalidOperationException">It has fewer arguments than it was begun with.</exception>
    public void SendTo(RedisEndPoint master, RedisCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        if (_topology.Masters.FirstOrDefault(node => node.EndPoint == master) is not { } node)
        {
            _context.Fail(command, new RedisFailure(RedisFailureKind.Unavailable, NotExecuted: true, $"{master} is no master."));
            return;
        }

        command.Pinned = node;
        Send(command);
    }

    /// <summary>Begins to follow streams of one slot, on a connection of their own. Its owner ends it before the store.</summary>
    /// <param name="slot">0 to 16,383.</param>
    public StreamFollower Follow(int slot)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(slot);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(slot, KeySlot.Count);
        return new StreamFollower(_context, _topology, _router, slot);
    }

    /// <summary>
    /// Has somebody told, from now on, what the nodes say of the keys that are read by <see cref="RedisCommand.BeginTrackedGet"/>: opens connections for them,
    /// one for each master and thread of sockets. One watch at a time; null: nobody any more, and the connections are let go.
    /// </summary>
    public void Watch(IKeyWatch? watch) => _tracking.Watch(watch);

    /// <summary>
    /// Asks for proof that nothing of what was tracked until now has changed without the watch's being told: a read of a key in one of the node's own slots,
    /// sent after this call on every tracked connection to every master, has come back on all of them. Returns a number;
    /// <see cref="IKeyWatch.Confirmed"/> is called with it, or a higher one, once it is so. A node that cannot be reached, or has lost its slots, puts that off
    /// until another has them, or it is back. Costs the nodes the same however many ask: at most ten such reads a second on each connection.
    /// </summary>
    public long Confirm() => _tracking.Confirm();

    /// <summary>
    /// Ends a batch: lets travel what this thread has sent since, and tells <see cref="RedisOptions.OnBatchEnd"/>. Call it once after a batch of
    /// <see cref="Send"/>; not needed within <see cref="RedisCommand.OnReply"/>, whose batch ends with one. On a thread of sockets that is when all that has
    /// arrived there by now is handled.
    /// </summary>
    public void Flush() => _context.EndBatch();

    /// <summary>What it has done, and what it knows.</summary>
    public RedisStatistics Statistics()
    {
        IEnumerable<RedisNode> known = _topology.Nodes;
        RedisNode[] nodes = [.. known.OrderByDescending(static node => node.IsMaster).ThenBy(static node => node.EndPoint.ToString(), StringComparer.Ordinal)];
        return new RedisStatistics
        {
            IsCluster = _topology.IsCluster,
            CoveredSlots = _topology.CoveredSlots,
            Nodes = [.. nodes.Select(static node => node.Statistics())],
            Answered = nodes.Sum(static node => node.Answered),
            Outstanding = nodes.Sum(static node => node.Outstanding),
            Waiting = _router.Homeless.Count + nodes.Sum(static node => node.Waiting.Count),
            Moved = _router.Moved,
            Asked = _router.Asked,
            Retried = _router.Retried,
            Late = nodes.Sum(static node => node.Late),
            Refreshed = _topology.Refreshed,
            Failures = _context.Failures(),
        };
    }

    /// <summary>Ends it: what is under way fails as <see cref="RedisFailureKind.Ambiguous"/> or <see cref="RedisFailureKind.Unavailable"/>.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_context.IsClosed)
        {
            return;
        }

        _context.IsClosed = true;
        _ticker.Dispose();
        await _idleTimer.DisposeAsync().ConfigureAwait(false);
        _router.FailWaiting();
        await _topology.Close(new IOException("The store was closed.")).ConfigureAwait(false);
    }

    // True while there is something to watch. A tick that takes long is not overtaken by the next.
    private bool Tick()
    {
        if (_context.IsClosed)
        {
            return false;
        }

        if (Interlocked.Exchange(ref _isTicking, 1) != 0)
        {
            return true;
        }

        try
        {
            return TickOnce();
        }
        finally
        {
            Volatile.Write(ref _isTicking, 0);
        }
    }

    private bool TickOnce()
    {
        long now = _context.Now;
        bool isBusy = _topology.Tick();
        isBusy |= _tracking.Tick();
        isBusy |= _router.SendDue(_router.Homeless, now, _due);
        foreach (RedisNode node in _topology.Nodes)
        {
            isBusy |= node.Tick(now);
            isBusy |= _router.SendDue(node.Waiting, now, _due);
        }

        _context.EndBatch();
        return isBusy;
    }
}
