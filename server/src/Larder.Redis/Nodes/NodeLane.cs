using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>
/// Keeps one connection to a node. Each lane is for either small or large commands, and, if reactors are used, for one reactor. If the connection is lost, the
/// lane reconnects.
/// </summary>
internal sealed class NodeLane
{
    private readonly StoreContext _context;
    private readonly RedisEndPoint _endPoint;
    private readonly Func<NodeLane, IConnectionOwner> _owner;
    private readonly Reactor? _reactor;
    private readonly bool _isTracked;
    private readonly Lock _lock = new();
    private readonly ReconnectBackoff _backoff = new();
    private NodeConnection? _connection;
    private long _endedAnswered;
    private long _endedLate;
    private int _made;
    private bool _isClosed;

    public NodeLane(StoreContext context, RedisEndPoint endPoint, Func<NodeLane, IConnectionOwner> owner, Reactor? reactor = null, bool isTracked = false)
    {
        _reactor = reactor;
        _isTracked = isTracked;
        _context = context;
        _endPoint = endPoint;
        _owner = owner;
    }

    /// <summary>Gets whether the connection is open, which means that the handshake has completed.</summary>
    public bool IsOpen => Volatile.Read(ref _connection) is { IsOpen: true };

    /// <summary>Gets whether there is a connection that is open or being opened.</summary>
    public bool IsAlive => Volatile.Read(ref _connection) is not null;

    /// <summary>Gets the number of commands on the connection.</summary>
    public int Outstanding => Volatile.Read(ref _connection)?.Outstanding ?? 0;

    /// <summary>Gets the number of reconnects.</summary>
    public long Reconnects => Math.Max(0, Volatile.Read(ref _made) - 1);

    /// <summary>Gets the smoothed latency (see <see cref="NodeConnection.Latency"/>).</summary>
    public TimeSpan Latency => Volatile.Read(ref _connection)?.Latency ?? TimeSpan.Zero;

    /// <summary>Gets the number of replies read.</summary>
    public long Answered => Volatile.Read(ref _endedAnswered) + (Volatile.Read(ref _connection)?.Answered ?? 0);

    /// <summary>Gets the number of replies that arrived after the command's deadline.</summary>
    public long Late => Volatile.Read(ref _endedLate) + (Volatile.Read(ref _connection)?.Late ?? 0);

    /// <summary>Queues a command on the connection. Opens the connection if necessary and allowed.</summary>
    public SendOutcome Send(RedisCommand command, bool asking)
    {
        NodeConnection? connection = Volatile.Read(ref _connection) ?? Connect();
        return connection?.Send(command, asking) ?? SendOutcome.NotConnected;
    }

    /// <summary>Returns the connection, and opens it if necessary. Returns null if it is too early for another attempt or the lane is closed.</summary>
    public NodeConnection? Connect()
    {
        NodeConnection connection;
        lock (_lock)
        {
            if (_connection is not null || _isClosed || !_backoff.MayConnect(_context.Elapsed))
            {
                return _connection;
            }

            connection = new NodeConnection(_context, _endPoint, _owner(this), _reactor, _isTracked);
            Volatile.Write(ref _connection, connection);
        }

        connection.Open();
        return connection;
    }

    /// <summary>Runs the periodic checks of the connection. Returns true while it has commands.</summary>
    public bool Tick(long now) => Volatile.Read(ref _connection)?.Tick(now) ?? false;

    /// <summary>Records that the connection was opened.</summary>
    public void OnOpened()
    {
        lock (_lock)
        {
            _made++;
            _backoff.OnConnected(_context.Elapsed);
        }
    }

    /// <summary>
    /// Removes the connection, which has ended. Its counters are added to the totals of the lane, and the backoff determines when the lane may reconnect.
    /// </summary>
    public void OnEnded(NodeConnection connection)
    {
        lock (_lock)
        {
            _backoff.OnEnded(_context.Elapsed, Random.Shared.NextDouble());
            _endedAnswered += connection.Answered;
            _endedLate += connection.Late;
            Volatile.Write(ref _connection, null);
        }
    }

    /// <summary>Closes the connection. The lane may open another connection later.</summary>
    public void Drop(Exception reason) => Volatile.Read(ref _connection)?.Close(reason);

    /// <summary>Closes the lane permanently. The task completes when all its commands have ended.</summary>
    public Task Close(Exception reason)
    {
        NodeConnection? connection;
        lock (_lock)
        {
            _isClosed = true;
            connection = _connection;
        }

        connection?.Close(reason);
        return connection?.Ended ?? Task.CompletedTask;
    }
}
