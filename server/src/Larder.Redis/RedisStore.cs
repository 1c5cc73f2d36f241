using Larder.Wire;
using Larder.Wire.Sockets;
using Larder.Wire.Threads;

namespace Larder.Redis;

/// <summary>
/// A client of one Redis server or of a cluster. The store discovers the nodes of the cluster. The constructor does not wait for a connection. The store
/// becomes ready when the engine is reachable.
/// </summary>
public sealed class RedisStore : IAsyncDisposable
{
    // The interval of the ticks while nothing else is in progress. The ticks read the slot map every 10 seconds, and send commands that a thread did not flush.
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

    /// <summary>Gets whether commands can be executed. This requires that the engine is known and at least one master is connected.</summary>
    public bool IsReady => WhyNotReady is null;

    /// <summary>Gets a description of why the store is not ready; null if the store is ready.</summary>
    public string? WhyNotReady => _context.IsClosed ? "The store is closed." : _topology.WhyNotReady;

    /// <summary>Gets the current number of masters. Numbers passed to <see cref="SendTo(int, RedisCommand)"/> must be smaller.</summary>
    public int MasterCount => _topology.Masters.Count;

    /// <summary>Gets the current masters, ordered by name.</summary>
    public IReadOnlyList<RedisEndPoint> Masters => [.. _topology.Masters.Select(static master => master.EndPoint)];

    /// <summary>Returns the current master of a slot, or any master if the slot is negative. Returns null if there is no master.</summary>
    public RedisEndPoint? MasterOf(int slot) => _topology.MasterFor(slot)?.EndPoint;

    /// <summary>Gets whether the engine is a cluster; null if not yet known.</summary>
    public bool? IsCluster => _topology.IsCluster;

    /// <summary>Gets the lane of the connections that the current thread reads; 0 if the thread reads no connections.</summary>
    public static int PresentLane => ReactorThread.Current?.Reactor.Index ?? 0;

    /// <summary>Creates a store and starts to discover the engine.</summary>
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
    /// Sends a command to the master of its slot, or to any master if it has no key. This method never blocks, and throws only if the command is incomplete. If
    /// the command cannot be sent, <see cref="RedisCommand.OnFailure"/> is called, possibly during this call. The command is sent at the next
    /// <see cref="Flush"/>. Commands from one thread with the same <see cref="RedisCommand.Lane"/> and key are executed in order. The order is not guaranteed
    /// if some of the commands are smaller and others larger than 64 KB, or if one of them is retried.
    /// </summary>
    /// <exception cref="InvalidOperationException">The command has fewer arguments than announced.</exception>
    public void Send(RedisCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        _router.Send(command);
        _ticker.Wake();
    }

    /// <summary>
    /// Sends a command to the master with a given number, and to no other node. See <see cref="MasterCount"/>. The command fails if that master no longer
    /// exists.
    /// </summary>
    /// <exception cref="InvalidOperationException">The command has fewer arguments than announced.</exception>
    public void SendTo(int master, RedisCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        IReadOnlyList<RedisNode> masters = _topology.Masters;
        if (master < 0 || master >= masters.Count)
        {
            _context.Fail(command, new RedisFailure(RedisFailureKind.Unavailable, NotExecuted: true, "The cluster has no master with this number."));
            return;
        }

        command.Pinned = masters[master];
        Send(command);
    }

    /// <summary>Sends a command to one master, and to no other node. The command fails if that node is no longer a master.</summary>
    /// <exception cref="InvalidOperationException">The command has fewer arguments than announced.</exception>
    public void SendTo(RedisEndPoint master, RedisCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        if (_topology.Masters.FirstOrDefault(node => node.EndPoint == master) is not { } node)
        {
            _context.Fail(command, new RedisFailure(RedisFailureKind.Unavailable, NotExecuted: true, $"{master} is not a master."));
            return;
        }

        command.Pinned = node;
        Send(command);
    }

    /// <summary>
    /// Creates a follower for streams of one slot. The follower uses a separate connection. The caller must dispose the follower before it disposes the store.
    /// </summary>
    /// <param name="slot">The slot: 0 to 16,383.</param>
    public StreamFollower Follow(int slot)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(slot);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(slot, KeySlot.Count);
        return new StreamFollower(_context, _topology, _router, slot);
    }

    /// <summary>
    /// Sets the watch. The watch is notified of changes of the keys that are read by <see cref="RedisCommand.BeginTrackedGet"/>. Setting a watch opens one
    /// tracked connection for each master and reactor thread, and replaces the previous watch. Null removes the watch and closes the connections.
    /// </summary>
    public void Watch(IKeyWatch? watch) => _tracking.Watch(watch);

    /// <summary>
    /// Requests confirmation that the watch has been notified of all changes of tracked keys before this call. To confirm this, the store sends a GET on every
    /// tracked connection. When all replies have arrived, it calls <see cref="IKeyWatch.Confirmed"/> with the number that this method returns, or with a higher
    /// number. An unreachable node, or a node that no longer has any slots, delays the confirmation until the node recovers or is replaced. Several calls of
    /// this method can share a GET. At most ten are sent per second on each connection.
    /// </summary>
    public long Confirm() => _tracking.Confirm();

    /// <summary>
    /// Ends a batch: sends the commands of this thread and calls <see cref="RedisOptions.OnBatchEnd"/>. Call it once after a series of <see cref="Send"/>
    /// calls. The call is not needed within <see cref="RedisCommand.OnReply"/>, because that batch ends automatically. On a reactor thread, the batch ends
    /// after the thread has handled all data that has already arrived.
    /// </summary>
    public void Flush() => _context.EndBatch();

    /// <summary>Returns the counters and the status of the engine.</summary>
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
            Waiting = _router.UnassignedCommands.Count + nodes.Sum(static node => node.Waiting.Count),
            Moved = _router.Moved,
            Asked = _router.Asked,
            Retried = _router.Retried,
            Late = nodes.Sum(static node => node.Late),
            Refreshed = _topology.Refreshed,
            Failures = _context.Failures(),
        };
    }

    /// <summary>
    /// Closes the store. Commands in progress fail with <see cref="RedisFailureKind.Ambiguous"/> or <see cref="RedisFailureKind.Unavailable"/>.
    /// </summary>
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

    // Returns true if the next tick must follow soon. If the previous tick is still running, this tick is skipped.
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
        isBusy |= _router.SendDue(_router.UnassignedCommands, now, _due);
        foreach (RedisNode node in _topology.Nodes)
        {
            isBusy |= node.Tick(now);
            isBusy |= _router.SendDue(node.Waiting, now, _due);
        }

        _context.EndBatch();
        return isBusy;
    }
}
