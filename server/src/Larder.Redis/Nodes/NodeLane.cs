using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>A node's connection for commands of one size and, where it is on a reactor, of one reactor; made again after it was lost.</summary>
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

    /// <summary>Whether commands are answered now.</summary>
    public bool IsOpen => Volatile.Read(ref _connection) is { IsOpen: true };

    /// <summary>Whether there is a connection, or one is being made.</summary>
    public bool IsAlive => Volatile.Read(ref _connection) is not null;

    /// <summary>Commands on it.</summary>
    public int Outstanding => Volatile.Read(ref _connection)?.Outstanding ?? 0;

    /// <summary>Connections that were made again.</summary>
    public long Reconnects => Math.Max(0, Volatile.Read(ref _made) - 1);

    /// <summary>See <see cref="NodeConnection.Latency"/>.</summary>
    public TimeSpan Latency => Volatile.Read(ref _connection)?.Latency ?? TimeSpan.Zero;

    /// <summary>Answers that were read.</summary>
    public long Answered => Volatile.Read(ref _endedAnswered) + (Volatile.Read(ref _connection)?.Answered ?? 0);

    /// <summary>Those among them that came too late.</summary>
    public long Late => Volatile.Read(ref _endedLate) + (Volatile.Read(ref _connection)?.Late ?? 0);

    /// <summary>Puts a command on the connection; begins to make one where it may be tried.</summary>
    public SendOutcome Send(RedisCommand command, bool asking)
    {
        NodeConnection? connection = Volatile.Read(ref _connection) ?? Connect();
        return connection?.Send(command, asking) ?? SendOutcome.NotConnected;
    }

    /// <summary>The connection, which is begun where there is none; null where it is too early to try, or the lane is closed.</summary>
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

    /// <summary>Lets its connection look at the time. True while there is anything on it.</summary>
    public bool Tick(long now) => Volatile.Read(ref _connection)?.Tick(now) ?? false;

    /// <summary>Its connection was made.</summary>
    public void OnOpened()
    {
        lock (_lock)
        {
            _made++;
            _backoff.OnConnected(_context.Elapsed);
        }
    }

    /// <summary>Its connection has ended.</summary>
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

    /// <summary>Closes the connection; another may be made.</summary>
    public void Drop(Exception reason) => Volatile.Read(ref _connection)?.Close(reason);

    /// <summary>Closes it for good; the task ends when all that was on it has.</summary>
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
