using Larder.Wire;

namespace Larder.Client.Topics;

/// <summary>
/// Lets subscriptions connect to one front: however many wait for it, one tries, and after it failed none before a wait that doubles (RETRY-7). Those that come
/// meanwhile share its outcome.
/// </summary>
internal sealed class SubscriptionGate(RetryPolicy backOff, Func<TimeSpan> now, Func<double> random)
{
    private readonly Lock _lock = new();
    private (Task<RpcException?> Outcome, RpcChannel Of)? _trying;
    private RpcException? _failure;
    private TimeSpan _closedUntil;
    private int _failures;

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
                if (_trying is null && _failure is { } known && now() < _closedUntil)
                {
                    throw new RpcException(known.Status);
                }

                trying = _trying ??= (TryAsync(channel), channel);
            }

            RpcException? failure = await trying.Outcome.WaitAsync(cancellationToken).ConfigureAwait(false);
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

    private async Task<RpcException?> TryAsync(RpcChannel channel)
    {
        // Out of the caller's lock.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        RpcException? failure = null;
        try
        {
            await channel.ConnectAsync(CancellationToken.None).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // Whatever keeps it from being made (a name, a certificate) is why subscriptions wait; the next try may go well.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            failure = exception as RpcException ?? new RpcException(new Status(StatusCode.Unavailable, exception.Message));
        }

        lock (_lock)
        {
            _trying = null;
            if (failure is null || !channel.IsClosed)
            {
                _failure = failure;
                _failures = failure is null ? 0 : _failures + 1;
                _closedUntil = failure is null ? TimeSpan.Zero : now() + backOff.BackOff(_failures, random());
            }
        }

        return failure;
    }
}
