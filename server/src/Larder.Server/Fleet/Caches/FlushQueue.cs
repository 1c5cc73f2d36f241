using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// Holds the calls to a flushed cache until every live gateway has read the flush (FLEET-7). Otherwise a client that uses two gateways could write through this
/// gateway and then read an old value through the other gateway. Calls are sent in the order of arrival. Thread-safe.
/// </summary>
/// <param name="store">The store that receives the calls.</param>
internal sealed class FlushQueue(RedisStore store)
{
    private static readonly RedisFailure Full = new(RedisFailureKind.Overloaded, NotExecuted: true, "Too many calls are waiting for a flush to finish.");

    private readonly Lock _gate = new();
    private List<RemoteCommand> _waiting = [];
    private long _bytes;
    private volatile bool _isOver;

    /// <summary>Gets whether the hold has ended.</summary>
    public bool IsOver => _isOver;

    /// <summary>
    /// Sends a call immediately, or at the end of the hold. If the number or the total size of the held calls would exceed the limits in
    /// <see cref="ConnectionLimits"/>, the call fails as not executed.
    /// </summary>
    public void Send(RemoteCommand command)
    {
        bool isFull = false;
        lock (_gate)
        {
            if (!_isOver)
            {
                isFull = _waiting.Count >= ConnectionLimits.MaxCalls || _bytes + command.EncodedBytes > ConnectionLimits.MaxBytes;
                if (!isFull)
                {
                    _waiting.Add(command);
                    _bytes += command.EncodedBytes;
                    return;
                }
            }
        }

        if (isFull)
        {
            command.FailUnsent(Full);
        }
        else
        {
            store.Send(command);
        }
    }

    /// <summary>Ends the hold and sends all held calls. Later calls are sent directly.</summary>
    public void End()
    {
        while (Take() is { } waiting)
        {
            foreach (RemoteCommand command in waiting)
            {
                store.Send(command);
            }

            store.Flush();
        }
    }

    // Returns null if no held call is left. A call that arrives while held calls are being sent is queued behind them.
    private List<RemoteCommand>? Take()
    {
        lock (_gate)
        {
            if (_waiting.Count == 0)
            {
                _isOver = true;
                return null;
            }

            List<RemoteCommand> taken = _waiting;
            _waiting = [];
            _bytes = 0;
            return taken;
        }
    }
}
