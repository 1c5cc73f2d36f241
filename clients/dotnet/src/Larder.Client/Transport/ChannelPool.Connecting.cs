using Larder.Client.Calls;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <content>Connects channels. Each broken or missing channel has a loop that connects it, with waits between attempts.</content>
internal sealed partial class ChannelPool
{
    // A connection that lasted for less than this time counts as a failed attempt. This prevents rapid reconnecting to a server that accepts connections and
    // closes them immediately.
    private static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(1);

    private void Add(TimeSpan wait)
    {
        PooledChannel channel = new();
        _channels.Add(channel);
        // The loop outlives the call that starts it, so the loop must not inherit the execution context of the call.
        using AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
        _ = ConnectAsync(channel, wait);
    }

    private void Replace(PooledChannel broken)
    {
        broken.IsReady = false;
        broken.IsRetired = true;
        _channels.Remove(broken);
        if (_closing.IsCancellationRequested)
        {
            return;
        }

        Log.ConnectionLost(_logger, _options.Endpoint, broken.Streams);
        bool livedShortly = _clock.Between(broken.ReadyAt, _clock.Now) < ShortLife;
        NoteFailure(livedShortly ? _failures + 1 : 0);
        if (!livedShortly)
        {
            _shortLives = 0;
        }
        else if (_shortLives == 0 || broken.ReadyAt >= _lostAt)
        {
            // Connections that were lost together count as one failure.
            _shortLives++;
            _lostAt = _clock.Now;
        }

        Add(livedShortly ? _backOff.BackOff(_shortLives, _random()) : TimeSpan.Zero);
    }

    private void NoteFailure(int failures)
    {
        if (_failures == 0)
        {
            _failingSince = _clock.Now;
        }

        _failures = failures;
    }

    private async Task ConnectAsync(PooledChannel pooled, TimeSpan wait)
    {
        // Continue on another thread, without the caller's lock.
        await PoolQueue.Work.Yield();
        try
        {
            while (true)
            {
                await DelayAsync(wait).On(PoolQueue.Work);
                RpcException? failure = await TryConnectAsync(pooled).On(PoolQueue.Work);
                if (failure is null)
                {
                    return;
                }

                int attempts;
                lock (_lock)
                {
                    _lastFailure = failure;
                    NoteFailure(_failures + 1);
                    attempts = _failures;
                    wait = _backOff.BackOff(_failures, _random());
                    Announce();
                }

                Log.ConnectFailed(_logger, _options.Endpoint, failure.Status.Code, failure.Status.Message, attempts, wait.TotalMilliseconds);
            }
        }
        catch (OperationCanceledException)
        {
            // The pool is being closed, so no call waits for this channel.
        }
    }

    private async Task<RpcException?> TryConnectAsync(PooledChannel pooled)
    {
        IChannel channel = _create();
        Interlocked.Increment(ref _attempting);
        try
        {
            await channel.ConnectAsync(_closing.Token).On(PoolQueue.Work);
        }
#pragma warning disable CA1031 // Any failure to connect fails the waiting calls. The next attempt may succeed.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            await CloseAsync(channel).On(PoolQueue.Work);
            _closing.Token.ThrowIfCancellationRequested();
            return exception as RpcException ?? new RpcException(new Status(StatusCode.Unavailable, exception.Message));
        }
        finally
        {
            Interlocked.Decrement(ref _attempting);
        }

        if (!TryPublish(pooled, channel))
        {
            await CloseAsync(channel).On(PoolQueue.Work);
        }

        return null;
    }

    private bool TryPublish(PooledChannel pooled, IChannel channel)
    {
        int failures;
        lock (_lock)
        {
            if (_closing.IsCancellationRequested)
            {
                return false;
            }

            pooled.Channel = channel;
            pooled.ReadyAt = _clock.Now;
            pooled.IsReady = true;
            failures = _failures;
            _failures = 0;
            Announce();
        }

        if (failures == 0)
        {
            Log.Connected(_logger, _options.Endpoint);
        }
        else
        {
            Log.Reconnected(_logger, _options.Endpoint, failures);
        }

        return true;
    }

    private Task DelayAsync(TimeSpan wait) => wait > TimeSpan.Zero ? Task.Delay(wait, _clock.Provider, _closing.Token) : Task.CompletedTask;
}
