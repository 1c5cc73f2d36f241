using System.Runtime.CompilerServices;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client.Topics;

/// <summary>
/// Controls when subscriptions connect to one gateway. While the gateway is not known to be up, only one subscription tries to connect, and all other
/// subscriptions wait for the outcome. After a failure, no subscription tries to connect before a wait has passed, which doubles with each failure (RETRY-7).
/// A connection that is lost before a message has arrived has failed too, because a server may accept each connection and close it at once. When the gateway is
/// up, all subscriptions may connect concurrently, until one of them fails.
/// </summary>
internal sealed class SubscriptionGate(RetryPolicy backOff, Func<TimeSpan> now, Func<double> random)
{
    private readonly Lock _lock = new();

    // The number of changes between up and down at the time when a channel was connected.
    private readonly ConditionalWeakTable<RpcChannel, StrongBox<int>> _connectedIn = [];
    private (Task<RpcException?> Outcome, RpcChannel Of)? _trying;
    private RpcException? _failure;
    private TimeSpan _closedUntil;

    // The number of failures since the last message.
    private int _failures;
    private bool _isUp;

    // The number of changes between up and down. If it has changed since an attempt began, the failure of that attempt is outdated and is ignored.
    private int _turns;

    /// <summary>Returns a task that completes when the channel is connected or has been connected. The connection may have been lost since then.</summary>
    /// <exception cref="RpcException">The gateway cannot be reached, or the wait after a failed attempt has not ended.</exception>
    /// <exception cref="OperationCanceledException">The caller has cancelled. The attempt to connect continues.</exception>
    public async ValueTask PassAsync(RpcChannel channel, CancellationToken cancellationToken)
    {
        while (!channel.IsConnected)
        {
            (Task<RpcException?> Outcome, RpcChannel Of) trying;
            lock (_lock)
            {
                if (_failure is { } known && now() < _closedUntil)
                {
                    throw new RpcException(known.Status);
                }

                trying = _isUp ? (TryAsync(channel, _turns), channel) : _trying ??= (TryAsync(channel, _turns), channel);
            }

            RpcException? failure = await trying.Outcome.WaitAsync(cancellationToken).On(PoolQueue.Callers);
            if (failure is null)
            {
                if (trying.Of == channel)
                {
                    return;
                }

                continue;
            }

            // If the attempt of another subscription ended because that subscription was abandoned, this is not a failure of the gateway. Try again in that
            // case.
            if (trying.Of == channel || !trying.Of.IsClosed)
            {
                throw new RpcException(failure.Status);
            }
        }
    }

    /// <summary>Records that a message has arrived from the gateway. The wait after the next failure is again the shortest.</summary>
    public void Confirm()
    {
        lock (_lock)
        {
            _failures = 0;
        }
    }

    /// <summary>
    /// Records that a connection to the gateway was lost. The next attempt starts after a wait, and the attempts are again limited to one at a time until one
    /// succeeds. Has no effect if the loss of another connection has been recorded since this channel was connected.
    /// </summary>
    /// <returns>The time until the next attempt may start, in whole milliseconds.</returns>
    public TimeSpan Doubt(RpcChannel channel, Status status)
    {
        lock (_lock)
        {
            if (_isUp && _connectedIn.TryGetValue(channel, out StrongBox<int>? turn) && turn.Value == _turns)
            {
                Fail(new RpcException(status));
            }

            // A timer may fire up to a millisecond early.
            return TimeSpan.FromMilliseconds(Math.Max(0, Math.Ceiling((_closedUntil - now()).TotalMilliseconds)));
        }
    }

    private async Task<RpcException?> TryAsync(RpcChannel channel, int turn)
    {
        // Continue on another thread, because the caller holds the lock.
        await PoolQueue.Work.Yield();
        RpcException? failure = null;
        try
        {
            await channel.ConnectAsync(CancellationToken.None).On(PoolQueue.Work);
            if (!channel.IsConnected)
            {
                failure = new RpcException(new Status(StatusCode.Unavailable, "The server closed the connection before a message arrived."));
            }
        }
#pragma warning disable CA1031 // Any failure to connect makes subscriptions wait. The next attempt may succeed.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            failure = exception as RpcException ?? new RpcException(new Status(StatusCode.Unavailable, exception.Message));
        }

        lock (_lock)
        {
            if (_trying?.Of == channel)
            {
                _trying = null;
            }

            if (failure is null)
            {
                SetUp(true);
                _failure = null;
                _connectedIn.AddOrUpdate(channel, new StrongBox<int>(_turns));
            }
            else if (turn == _turns && !channel.IsClosed)
            {
                Fail(failure);
            }
        }

        return failure;
    }

    // The caller must hold the lock.
    private void Fail(RpcException failure)
    {
        SetUp(false);
        _failure = failure;
        _failures++;
        _closedUntil = now() + backOff.BackOff(_failures, random());
    }

    // The caller must hold the lock.
    private void SetUp(bool isUp)
    {
        if (_isUp != isUp)
        {
            _isUp = isUp;
            _turns++;
        }
    }
}
