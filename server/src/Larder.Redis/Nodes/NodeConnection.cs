using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Larder.Wire;
using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>
/// One connection to a node.
/// <para> Sending: The caller takes the lock once. It appends the encoded command to the current buffer, and adds the command to the queue of expected replies.
/// The caller of <see cref="Flush"/> sends the buffer without waiting for a slow socket. Commands that are added during the send are appended to the other
/// buffer. </para>
/// <para> Receiving: The reader collects all complete replies of one read. It then takes the lock once and removes one command per reply from the queue. It
/// completes these commands on its own thread. </para>
/// <para> Failing: A command whose deadline has passed is ended by another thread. All other commands are ended by the reader. When the connection is closed,
/// its transport is closed too. The pending receive of the reader therefore fails, and the reader ends the remaining commands. </para>
/// </summary>
[SuppressMessage("Reliability", "CA1001", Justification = "It ends by Close, from any side; its reader gives back what it has.")]
internal sealed partial class NodeConnection
{
    private enum State
    {
        // Commands wait until the handshake has completed.
        Opening,
        Open,

        // New commands are rejected. The reader is about to end the remaining commands.
        Closing,
        Closed,
    }

    private readonly StoreContext _context;
    private readonly RedisEndPoint _endPoint;
    private readonly IConnectionOwner _owner;
    private readonly Reactor? _reactor;
    private readonly Lock _lock = new();
    private readonly ExpectedReplies _expected = new();
    private readonly List<Early> _early = [];
    private readonly NodeWatchdog _watchdog;
    private volatile State _state;
    private Exception? _closeReason;
    private int _earlyBytes;
    private long _earliestDeadline = long.MaxValue;

    public NodeConnection(StoreContext context, RedisEndPoint endPoint, IConnectionOwner owner, Reactor? reactor, bool isTracked)
    {
        _reactor = reactor;
        _isTracked = isTracked;
        _context = context;
        _endPoint = endPoint;
        _owner = owner;
        _watchdog = new NodeWatchdog(context.Timestamps(context.Options.SilenceLimit));
        _onReadable = OnReadable;
        _onWritten = OnWritten;
    }

    /// <summary>Gets whether the connection is open, which means that the handshake has completed.</summary>
    public bool IsOpen => _state == State.Open;

    /// <summary>Gets the number of commands on the connection.</summary>
    public int Outstanding
    {
        get
        {
            lock (_lock)
            {
                return _expected.Count + _early.Count;
            }
        }
    }

    /// <summary>
    /// Queues a command, which is sent at the next <see cref="Flush"/>. If <paramref name="asking"/> is true, ASKING is sent before the command.
    /// </summary>
    public SendOutcome Send(RedisCommand command, bool asking)
    {
        bool writes;
        lock (_lock)
        {
            if (_state is State.Closing or State.Closed)
            {
                return SendOutcome.NotConnected;
            }

            int bytes = command.WireBytes;
            if (!ConnectionLimits.HasRoom(_expected.Count + _early.Count, _expected.Bytes + _earlyBytes, bytes))
            {
                return SendOutcome.Full;
            }

            if (command.Deadline != 0)
            {
                _earliestDeadline = Math.Min(_earliestDeadline, command.Deadline);
            }

            if (_state == State.Opening)
            {
                _early.Add(new Early(command, asking));
                _earlyBytes += bytes;
                return SendOutcome.Taken;
            }

            if (!TryWrite(command, asking, bytes))
            {
                return SendOutcome.Full;
            }

            writes = _filling.Written >= ReadyBytes && ClaimWriter();
        }

        if (writes)
        {
            Drain();
        }
        else
        {
            FlushList.Current.Add(this);
        }

        return SendOutcome.Taken;
    }

    /// <summary>
    /// Called periodically. Fails commands whose deadline has passed, closes the connection if the node is silent, and sends commands that no thread has
    /// flushed. Returns true if commands are outstanding.
    /// </summary>
    public bool Tick(long now)
    {
        List<RedisCommand>? unsent = null;
        List<RedisCommand>? sent = null;
        bool isSilent;
        int outstanding;
        lock (_lock)
        {
            if (now >= _earliestDeadline)
            {
                long earliest = ExpireEarly(now, unsent = []);
                _earliestDeadline = Math.Min(earliest, _expected.Expire(now, sent = []));
            }

            outstanding = _expected.Count + _early.Count;
            isSilent = _state == State.Open && _watchdog.IsSilent(now, _expected.Count);
        }

        foreach (RedisCommand command in unsent ?? [])
        {
            _context.Fail(command, Timing.Expired(notExecuted: true));
        }

        foreach (RedisCommand command in sent ?? [])
        {
            _context.Fail(command, Timing.Expired(notExecuted: false));
        }

        if (isSilent)
        {
            Close(new IOException($"The node sent nothing for {_context.Options.SilenceLimit.TotalSeconds:0.###} s while calls were in flight."));
        }
        else
        {
            Flush();
        }

        return outstanding > 0;
    }

    // Returns false if there is no memory for the command. The caller must hold the lock.
    private bool TryWrite(RedisCommand command, bool asking, int bytes)
    {
        int before = _filling.Written;
        try
        {
            if (asking)
            {
                RespWriter.WriteRaw(_filling, AskingCommand.Encoded);
            }

            if (command.AsksTtl)
            {
                command.WriteTtlQuery(_filling);
            }

            command.WriteTo(_filling);
        }
        catch (RpcException)
        {
            _filling.Truncate(before);
            return false;
        }

        if (_expected.Count == 0)
        {
            _watchdog.OnFirstCall(_context.Now);
        }

        if (asking)
        {
            _expected.Add(AskingCommand.Instance, AskingCommand.Encoded.Length);
        }

        if (command.AsksTtl)
        {
            _expected.Add(TtlQuery.Instance, 0);
        }

        BeginSample();
        _expected.Add(command, bytes);
        return true;
    }

    // Removes the expired commands from the queue of commands that wait for the connection to be opened. These commands were never written. Returns the
    // earliest deadline of the remaining commands. The caller must hold the lock.
    private long ExpireEarly(long now, List<RedisCommand> expired)
    {
        long earliest = long.MaxValue;
        int kept = 0;
        foreach (Early early in _early)
        {
            long deadline = early.Command.Deadline;
            if (deadline != 0 && deadline <= now)
            {
                expired.Add(early.Command);
                _earlyBytes -= early.Command.WireBytes;
                continue;
            }

            earliest = deadline != 0 ? Math.Min(earliest, deadline) : earliest;
            CollectionsMarshal.AsSpan(_early)[kept++] = early;
        }

        _early.RemoveRange(kept, _early.Count - kept);
        return earliest;
    }

    private readonly record struct Early(RedisCommand Command, bool Asking);
}
