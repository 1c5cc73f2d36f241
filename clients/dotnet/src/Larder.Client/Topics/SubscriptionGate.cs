using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client.Topics;

/// <summary>
/// Controls when subscriptions connect to one gateway. While the gateway is not known to be up, only one subscription tries to connect, however many wait, and
/// the others share the outcome. After a failure none tries before a wait that doubles each time (RETRY-7). Once the gateway is up, all connect at once, until
/// one of them fails.
/// </summary>
internal sealed class SubscriptionGate(RetryPolicy backOff, Func<TimeSpan> now, Func<double> random)
{
    private readonly Lock _lock = new();
    private (Task<RpcException?> Outcome, RpcChannel Of)? _trying;
    private RpcException? _failure;
    private TimeSpan _closedUntil;
    private int _failures;
    private bool _isUp;

    // The failure of an attempt that began before the last change between up and down is outdated.
    private int _turns;

    /// <summary>Completes when the gateway can be reached.</summary>
    /// <exception cref="RpcException">The gateway cannot be reached, or could not be reached recently.</exception>
    /// <exception cref="OperationCanceledException">The caller has cancelled; the attempt continues.</exception>
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
                return;
            }

            // An attempt of another subscription that was abandoned while connecting does not count as a failure of the gateway.
            if (trying.Of == channel || !trying.Of.IsClosed)
            {
                throw new RpcException(failure.Status);
            }
        }
    }

    /// <summary>Called when a connection to the gateway was lost: one subscription tries again before all do.</summary>
    public void Doubt()
    {
        lock (_lock)
        {
            SetUp(false);
        }
    }

    private async Task<RpcException?> TryAsync(RpcChannel channel, int turn)
    {
        // Leaves the caller's lock.
        await PoolQueue.Work.Yield();
        RpcException? failure = null;
        try
        {
            await channel.ConnectAsync(CancellationToken.None).On(PoolQueue.Work);
        }
#pragma warning disable CA1031 // Any failure to connect (a name, a certificate) makes subscriptions wait; the next attempt may succeed.
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
                _failures = 0;
            }
            else if (turn == _turns && !channel.IsClosed)
            {
                SetUp(false);
                _failure = failure;
                _failures++;
                _closedUntil = now() + backOff.BackOff(_failures, random());
            }
        }

        return failure;
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
