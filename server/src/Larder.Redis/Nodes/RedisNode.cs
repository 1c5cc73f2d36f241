using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>
/// A node of the engine: its connections and its status. For small commands there is one connection per reactor, opened at its first use, so that commands for
/// a client's connection are processed on the thread of that connection (ADR-0074). There is one connection for large commands and, while near caches exist,
/// one tracked connection per reactor.
/// </summary>
internal sealed class RedisNode
{
    private readonly StoreContext _context;
    // The first connection is kept open. Its state shows whether the node is reachable.
    private readonly NodeLane[] _small;
    private readonly NodeLane _large;
    private readonly NodeLane[] _tracked;
    private long _lagBytes = -1;
    private string? _disconnectReason;
    private string? _refusal;
    private string? _untrackedReason;
    private bool _isRefused;
    private bool _isLeft;
    private bool _wasNotified;

    public RedisNode(StoreContext context, RedisEndPoint endPoint, CommandRouter router)
    {
        _context = context;
        EndPoint = endPoint;
        bool usesReactors = Reactor.IsDefault && context.Options.Tls is null;
        Reactor?[] reactors = usesReactors ? [.. Enumerable.Range(0, Reactor.Count).Select(Reactor.At)] : [null];
        _small = [.. reactors.Select(reactor => new NodeLane(context, endPoint, lane => new LaneOwner(this, lane, router), reactor))];
        _large = new NodeLane(context, endPoint, lane => new LaneOwner(this, lane, router));
        _tracked =
        [
            .. reactors.Select(
                reactor => new NodeLane(context, endPoint, lane => new TrackedReadOwner(this, lane, router), reactor, isTracked: true)),
        ];
    }

    public RedisEndPoint EndPoint { get; }

    /// <summary>Gets the commands that wait for a retry on this node.</summary>
    public WaitingCommands Waiting { get; } = new();

    /// <summary>Gets or sets the node's last reply to HELLO; null before the first reply.</summary>
    public HelloReply? Hello { get; set; }

    /// <summary>Gets or sets the last time at which a redirect or the slot map named the node. The time is relative to the start of the store.</summary>
    public TimeSpan NamedAt { get; set; }

    /// <summary>Gets or sets whether the node was removed, so that commands that wait for it must be sent to another node.</summary>
    public bool IsLeft
    {
        get => Volatile.Read(ref _isLeft);
        set => Volatile.Write(ref _isLeft, value);
    }

    /// <summary>Gets or sets whether the slot map contains the node as a master.</summary>
    public bool IsMaster { get; set; }

    /// <summary>Gets or sets the number of slots of the node, or of its master if the node is a replica.</summary>
    public int Slots { get; set; }

    /// <summary>Gets or sets whether the node's settings have been checked.</summary>
    public bool AreSettingsChecked { get; set; }

    /// <summary>Gets or sets the number of replication bytes that the slowest replica has not acknowledged; null if unknown.</summary>
    public long? LagBytes
    {
        get => Interlocked.Read(ref _lagBytes) is >= 0 and var lag ? lag : null;
        set => Interlocked.Exchange(ref _lagBytes, value ?? -1);
    }

    /// <summary>Gets whether the node is connected.</summary>
    public bool IsConnected => _small[0].IsOpen;

    /// <summary>
    /// Gets the reason why the node is not connected, as the system or the node describes it. The value is null if the node is connected or no connection was
    /// attempted.
    /// </summary>
    public string? WhyNot => IsConnected ? null : Volatile.Read(ref _disconnectReason);

    /// <summary>Gets whether the node rejects the user name or password.</summary>
    public bool IsRefused => !IsConnected && Volatile.Read(ref _isRefused);

    /// <summary>Gets the tracked connections, one per reactor.</summary>
    public IReadOnlyList<NodeLane> Tracked => _tracked;

    /// <summary>Gets the number of commands on the node's connections.</summary>
    public int Outstanding => _small.Sum(static lane => lane.Outstanding) + _large.Outstanding + _tracked.Sum(static lane => lane.Outstanding);

    /// <summary>Gets whether there are no commands on the node's connections and no commands that wait for a retry on this node.</summary>
    public bool IsIdle => Outstanding == 0 && Waiting.Count == 0;

    public long Answered => _small.Sum(static lane => lane.Answered) + _large.Answered + _tracked.Sum(static lane => lane.Answered);

    public long Late => _small.Sum(static lane => lane.Late) + _large.Late + _tracked.Sum(static lane => lane.Late);

    /// <summary>Queues a command on the connection for its size and lane.</summary>
    public SendOutcome Send(RedisCommand command, bool asking)
    {
        if (command.Tracking != ReadTracking.None && SendTracked(command, asking))
        {
            return SendOutcome.Taken;
        }

        bool isLarge = command.IsBulk || command.WireBytes > ConnectionLimits.SmallBytes;
        return (isLarge ? _large : _small[(uint)command.Lane % (uint)_small.Length]).Send(command, asking);
    }

    /// <summary>Opens the first connection if there is none and an attempt is allowed.</summary>
    public void KeepConnected() => _small[0].Connect();

    /// <summary>Opens missing tracked connections if an attempt is allowed. Returns true if all tracked connections are open.</summary>
    public bool KeepTracked()
    {
        bool areOpen = true;
        foreach (NodeLane lane in _tracked)
        {
            areOpen &= lane.IsOpen;
            if (!lane.IsAlive)
            {
                lane.Connect();
            }
        }

        return areOpen;
    }

    /// <summary>Closes the tracked connections. Returns true if all of them were already closed.</summary>
    public bool DropTracked()
    {
        bool isNone = true;
        foreach (NodeLane lane in _tracked)
        {
            if (lane.IsAlive)
            {
                isNone = false;
                lane.Drop(new NodeRemovedException());
            }
        }

        return isNone;
    }

    /// <summary>
    /// Notifies the operator if the node does not support tracking. Called when a tracked connection has been opened or has ended. <paramref name="reason"/> is
    /// null if it has been opened.
    /// </summary>
    public void OnTracked(Exception? reason)
    {
        string? why = (reason as TrackingUnavailableException)?.Message;
        if (reason is null or TrackingUnavailableException && Interlocked.Exchange(ref _untrackedReason, why) != why && why is not null)
        {
            _context.Notify(true, $"Redis at {EndPoint} does not report changed keys, so near caches do not cache its items: {why}");
        }
    }

    /// <summary>Runs the periodic checks of all connections. Returns true while there are commands or a connection is being opened.</summary>
    public bool Tick(long now)
    {
        bool isBusy = _large.Tick(now);
        foreach (NodeLane lane in _small)
        {
            isBusy |= lane.Tick(now) | (lane.IsAlive && !lane.IsOpen);
        }

        foreach (NodeLane lane in _tracked)
        {
            isBusy |= lane.Tick(now);
        }

        return isBusy;
    }

    /// <summary>Closes the connections, which may be opened again.</summary>
    public void Drop(Exception reason)
    {
        Array.ForEach(_small, lane => lane.Drop(reason));
        Array.ForEach(_tracked, lane => lane.Drop(reason));
        _large.Drop(reason);
    }

    /// <summary>Closes the connections permanently. The task completes when all their commands have ended.</summary>
    public Task Close(Exception reason) => Task.WhenAll(_small.Concat(_tracked).Append(_large).Select(lane => lane.Close(reason)));

    /// <summary>Notifies the operator that the node rejected a command because of missing permissions.</summary>
    /// <param name="text">The error.</param>
    /// <param name="script">The script that contains the command; null if the command is not in a script. The error then does not name the command.</param>
    public void OnRefusal(string text, RedisScript? script)
    {
        if (Interlocked.Exchange(ref _refusal, text) != text)
        {
            string what = script is null ? "a command" : $"a command in the script {script.Name}, which ACL LOG names,";
            _context.Notify(
                true,
                $"Redis at {EndPoint} rejected {what} of user {_context.Options.User ?? "default"} ({text}). Grant the missing permission to the user in the "
                    + "store's URL.");
        }
    }

    public RedisNodeStatistics Statistics() => new()
    {
        Name = EndPoint.ToString(),
        IsMaster = IsMaster,
        Slots = Slots,
        IsConnected = IsConnected,
        WhyNot = WhyNot,
        Outstanding = Outstanding,
        Reconnects = _small.Sum(static lane => lane.Reconnects) + _large.Reconnects,
        Latency = _small.Max(static lane => lane.Latency),
        LagBytes = LagBytes,
    };

    // Uses the tracked connection of the command's reactor if it has space. ASK commands are excluded, because the slot of an ASK command does not belong to
    // this node yet.
    private bool SendTracked(RedisCommand command, bool asking)
    {
        NodeLane lane = _tracked[(uint)command.Lane % (uint)_tracked.Length];
        command.Tracking = ReadTracking.Given;
        if (!asking && lane.IsOpen && command.WireBytes <= ConnectionLimits.SmallBytes && lane.Send(command, asking) == SendOutcome.Taken)
        {
            return true;
        }

        command.Tracking = ReadTracking.Wanted;
        return false;
    }

    private void OnOpened(HelloReply hello)
    {
        Hello = hello;
        Volatile.Write(ref _isRefused, false);
        Volatile.Write(ref _disconnectReason, null);
        if (_wasNotified)
        {
            _wasNotified = false;
            _context.Notify(false, $"Redis at {EndPoint} is reachable again.");
        }
    }

    private void OnEnded(Exception reason)
    {
        Volatile.Write(ref _isRefused, reason is RefusedException);
        string why = reason.Message;
        // Report each reason once, and not for each attempt.
        if (Interlocked.Exchange(ref _disconnectReason, why) != why && !_context.IsClosed && reason is not NodeRemovedException)
        {
            _wasNotified = true;
            _context.Notify(true, $"Redis at {EndPoint} is unreachable: {why}");
        }
    }

    private sealed class LaneOwner(RedisNode node, NodeLane lane, CommandRouter router) : IConnectionOwner
    {
        public void OnOpened(HelloReply hello)
        {
            lane.OnOpened();
            node.OnOpened(hello);
        }

        public void OnError(RedisCommand command, ReadOnlySpan<byte> text) => router.OnError(node, command, text);

        public void OnPush(ReadOnlySpan<byte> frame)
        {
            // Ignored, because no command on this connection causes push messages.
        }

        public void OnLost(RedisCommand command, bool wasHanded, Exception reason) => router.OnLost(node, command, wasHanded, reason);

        public void OnEnded(NodeConnection connection, Exception reason)
        {
            lane.OnEnded(connection);
            node.OnEnded(reason);
            router.OnNodeLost();
        }
    }
}
