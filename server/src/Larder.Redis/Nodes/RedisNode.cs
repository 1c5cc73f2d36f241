using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>
/// One node of the engine: its connections, and what is known of it. For small commands there is one for each reactor, made when it is first used, so that
/// what a client's connection leads to stays on that connection's thread (ADR-0074); one for large commands; and, while there are near caches, one for each
/// reactor that the node tracks.
/// </summary>
internal sealed class RedisNode
{
    private readonly StoreContext _context;
    // The first is kept connected, and says whether the node answers.
    private readonly NodeLane[] _small;
    private readonly NodeLane _large;
    private readonly NodeLane[] _tracked;
    private long _lagBytes = -1;
    private string? _whyNot;
    private string? _refusal;
    private string? _whyUntracked;
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
                reactor => new NodeLane(context, endPoint, lane => new TrackedOwner(this, lane, router), reactor, isTracked: true)),
        ];
    }

    public RedisEndPoint EndPoint { get; }

    /// <summary>Commands that wait to be sent to it again.</summary>
    public WaitingCommands Waiting { get; } = new();

    /// <summary>What it said of itself last; null before.</summary>
    public HelloReply? Hello { get; set; }

    /// <summary>When it was last named by a redirect, or in the map: since the store was started.</summary>
    public TimeSpan NamedAt { get; set; }

    /// <summary>Whether it was left for good: what waits for it is to be sent elsewhere.</summary>
    public bool IsLeft
    {
        get => Volatile.Read(ref _isLeft);
        set => Volatile.Write(ref _isLeft, value);
    }

    /// <summary>Whether the slot map has it as a master.</summary>
    public bool IsMaster { get; set; }

    /// <summary>The slots that the map gives it, or its master.</summary>
    public int Slots { get; set; }

    /// <summary>Whether its settings have been looked at.</summary>
    public bool AreSettingsChecked { get; set; }

    /// <summary>Bytes that its replica furthest behind lacks; null where that is not known.</summary>
    public long? LagBytes
    {
        get => Interlocked.Read(ref _lagBytes) is >= 0 and var lag ? lag : null;
        set => Interlocked.Exchange(ref _lagBytes, value ?? -1);
    }

    /// <summary>Whether it answers.</summary>
    public bool IsConnected => _small[0].IsOpen;

    /// <summary>Why not: the system's or the node's own words; null where it does, or was never tried.</summary>
    public string? WhyNot => IsConnected ? null : Volatile.Read(ref _whyNot);

    /// <summary>Whether it refuses our name or password.</summary>
    public bool IsRefused => !IsConnected && Volatile.Read(ref _isRefused);

    /// <summary>Its connections that it tracks, one for each reactor.</summary>
    public IReadOnlyList<NodeLane> Tracked => _tracked;

    /// <summary>Commands on its connections.</summary>
    public int Outstanding => _small.Sum(static lane => lane.Outstanding) + _large.Outstanding + _tracked.Sum(static lane => lane.Outstanding);

    /// <summary>Whether there is nothing on it or for it.</summary>
    public bool IsIdle => Outstanding == 0 && Waiting.Count == 0;

    public long Answered => _small.Sum(static lane => lane.Answered) + _large.Answered + _tracked.Sum(static lane => lane.Answered);

    public long Late => _small.Sum(static lane => lane.Late) + _large.Late + _tracked.Sum(static lane => lane.Late);

    /// <summary>Puts a command on the connection for its size and lane.</summary>
    public SendOutcome Send(RedisCommand command, bool asking)
    {
        if (command.Tracking != ReadTracking.None && SendTracked(command, asking))
        {
            return SendOutcome.Taken;
        }

        bool isLarge = command.IsBulk || command.WireBytes > ConnectionLimits.SmallBytes;
        return (isLarge ? _large : _small[(uint)command.Lane % (uint)_small.Length]).Send(command, asking);
    }

    /// <summary>Makes the first connection where there is none and it may be tried.</summary>
    public void KeepConnected() => _small[0].Connect();

    /// <summary>Makes the tracked connections that there are not and that may be tried. True where all are open.</summary>
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

    /// <summary>Lets the tracked connections go. True where there is none any more.</summary>
    public bool DropTracked()
    {
        bool isNone = true;
        foreach (NodeLane lane in _tracked)
        {
            if (lane.IsAlive)
            {
                isNone = false;
                lane.Drop(new NotNeededException());
            }
        }

        return isNone;
    }

    /// <summary>A tracked connection was made (null), or has ended.</summary>
    public void OnTracked(Exception? reason)
    {
        string? why = (reason as UntrackedException)?.Message;
        if (reason is null or UntrackedException && Interlocked.Exchange(ref _whyUntracked, why) != why && why is not null)
        {
            _context.Notify(true, $"Redis at {EndPoint} does not say what changes, so that near caches keep nothing of it: {why}");
        }
    }

    /// <summary>Lets its connections look at the time. True while there is anything on them, or one is being made.</summary>
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

    /// <summary>Closes the connections, which may be made again.</summary>
    public void Drop(Exception reason)
    {
        Array.ForEach(_small, lane => lane.Drop(reason));
        Array.ForEach(_tracked, lane => lane.Drop(reason));
        _large.Drop(reason);
    }

    /// <summary>Closes them for good; the task ends when all that was on them has.</summary>
    public Task Close(Exception reason) => Task.WhenAll(_small.Concat(_tracked).Append(_large).Select(lane => lane.Close(reason)));

    /// <summary>It refuses a command for our permissions.</summary>
    public void OnRefusal(string text)
    {
        if (Interlocked.Exchange(ref _refusal, text) != text)
        {
            _context.Notify(true, $"Redis at {EndPoint} refuses a command: {text} Give the user of the store's URL the permission.");
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

    // On the tracked connection of its reactor, where there is one with room. What a node is asked by ASK is not: the slot is not its own yet.
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
        Volatile.Write(ref _whyNot, null);
        if (_wasNotified)
        {
            _wasNotified = false;
            _context.Notify(false, $"Redis at {EndPoint} answers again.");
        }
    }

    private void OnEnded(Exception reason)
    {
        Volatile.Write(ref _isRefused, reason is RefusedException);
        string why = reason.Message;
        // Once for each reason, not for each attempt.
        if (Interlocked.Exchange(ref _whyNot, why) != why && !_context.IsClosed && reason is not NotNeededException)
        {
            _wasNotified = true;
            _context.Notify(true, $"Redis at {EndPoint} does not answer: {why}");
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
            // Nothing is asked of the node that it would say by one.
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
