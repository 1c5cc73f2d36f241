using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// Calls of a cache that was flushed, kept until every front that is up knows: a client of two fronts would read at the other what was there, after what it has
/// written here since (FLEET-7). They go in the order in which they came. Safe from any thread.
/// </summary>
/// <param name="store">Where they go.</param>
internal sealed class FlushHold(RedisStore store)
{
    private static readonly RedisFailure Full = new(RedisFailureKind.Overloaded, NotExecuted: true, "Too many calls wait for the end of a flush.");

    private readonly Lock _gate = new();
    private List<RemoteCommand> _waiting = [];
    private long _bytes;
    private volatile bool _isOver;

    /// <summary>Whether all know.</summary>
    public bool IsOver => _isOver;

    /// <summary>Sends a call, now or when all know; past the calls or bytes of <see cref="ConnectionLimits"/> it fails, not executed.</summary>
    public void Send(RemoteCommand command)
    {
        bool isFull = false;
        lock (_gate)
        {
            if (!_isOver)
            {
                isFull = _waiting.Count >= ConnectionLimits.MostCalls || _bytes + command.EncodedBytes > ConnectionLimits.MostBytes;
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

    /// <summary>Lets them go, and all that come later.</summary>
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

    // Null at the end. What comes while others are sent waits behind them.
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
