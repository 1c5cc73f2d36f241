using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client.Topics;

/// <summary>
/// Lets subscriptions connect to one front. While it is not known to be up, one tries, however many wait, and after it failed none before a wait that doubles
/// (RETRY-7); those that come meanwhile share its outcome. A front that is up is connected to by all at once, until one of them can't.
/// </summary>
internal sealed class SubscriptionGate(RetryPolicy backOff, Func<TimeSpan> now, Func<double> random)
{
    private readonly Lock _lock = new();
    private (Task<RpcException?> Outcome, RpcChannel Of)? _trying;
    private RpcException? _failure;
    private TimeSpan _closedUntil;
    private int _failures;
    private bool _isUp;

    // Of a try that began before the front was last found up or away, the failure says nothing of now.
    private int _turns;

    /// <summary>Returns once the front can be reached.</summary>
    /// <exception cref="RpcException">It cannot, or could not just now.</exception>
    /// <exception cref="OperationCanceledException">The caller gave up; the try goes on.</exception>
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

            // Another's that was left while it connected says nothing of the front.
            if (trying.Of == channel || !trying.Of.IsClosed)
            {
                throw new RpcException(failure.Status);
            }
        }
    }

    /// <summary>A connection of the front was lost: one tries again, before all do.</summary>
    public void Doubt()
    {
        lock (_lock)
        {
            SetUp(false);
        }
    }

    private async Task<RpcException?> TryAsync(RpcChannel channel, int turn)
    {
        // Out of the caller's lock.
        await PoolQueue.Work.Yield();
        RpcException? failure = null;
        try
        {
            await channel.ConnectAsync(CancellationToken.None).On(PoolQueue.Work);
        }
#pragma warning disable CA1031 // Whatever keeps it from being made (a name, a certificate) is why subscriptions wait; the next try may go well.
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

    // Under the lock.
    private void SetUp(bool isUp)
    {
        if (_isUp != isUp)
        {
            _isUp = isUp;
            _turns++;
        }
    }
}
