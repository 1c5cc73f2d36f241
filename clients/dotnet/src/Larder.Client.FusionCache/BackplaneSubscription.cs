using Larder.Client.Topics;
using ZiggyCreatures.Caching.Fusion.Backplane;

namespace Larder.Client;

#pragma warning disable CA1001 // The fields need no disposal, because they have no timer, no linked tokens and no wait handle.
/// <summary>Reads the topic of a backplane until it is stopped or the client is closed. Subscribes again after every failure.</summary>
/// <param name="expireAll">Expires all entries in the memory of this process. Called when messages may be missing.</param>
/// <param name="isFirst">Whether the FusionCache has not subscribed before. If false, messages may have been missed before the subscription starts.</param>
internal sealed class BackplaneSubscription(
    Cache cache,
    string topic,
    BackplaneSubscriptionOptions handlers,
    Func<CancellationToken, ValueTask> expireAll,
    bool isFirst,
    TimeProvider time,
    GuardedLogger logger)
#pragma warning restore CA1001
{
    // The maximum number of messages that are handled at once. FusionCache reads the server for a message about an entry in its memory. Further messages wait
    // at the server.
    private const int MaxHandlers = 64;

    private static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(30);
    private static readonly SubscribeOptions FromNow = new() { From = TopicStart.Now, Heartbeats = true };

    private readonly CancellationTokenSource _stop = new();
    private readonly SemaphoreSlim _handlers = new(MaxHandlers);
    private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly LogRateLimiter _invalid = new(LogRateLimiter.FailureInterval, time);
    private bool _hasMissed = !isFirst;
    private int _failures;

    /// <summary>Starts to read. Returns when the server has accepted the subscription, and throws if the first attempt fails.</summary>
    /// <exception cref="CacheException">The first attempt failed. The subscription continues to try.</exception>
    public Task StartAsync()
    {
        // The subscription does not belong to one caller, so it must not inherit the execution context of the first caller.
        using (ExecutionContext.SuppressFlow())
        {
            _ = Task.Run(RunAsync);
        }

        return _begun.Task;
    }

    public void Stop() => _stop.Cancel();

    /// <summary>Computes the wait before the next attempt to subscribe.</summary>
    /// <param name="failures">The number of failed attempts since the last success, at least 1.</param>
    /// <param name="random">A random number from 0 to 1.</param>
    internal static TimeSpan WaitAfter(int failures, double random) => RetryPolicy.BackOff(ShortestWait, LongestWait, failures, random);

    private async Task RunAsync()
    {
        try
        {
            while (await ReadAsync().ConfigureAwait(false) is { } failure)
            {
                _hasMissed = true;
                TimeSpan wait = WaitAfter(++_failures, Random.Shared.NextDouble());
                Log.BackplaneNotSubscribed(logger, topic, cache.Name, failure.Code, failure.Reason, wait.TotalSeconds);
                _begun.TrySetException(new CacheException(failure));
                await Task.Delay(wait, time, _stop.Token).ConfigureAwait(false);
            }

            _begun.TrySetException(new ObjectDisposedException(nameof(CacheClient)));
        }
        catch (OperationCanceledException)
        {
            // The FusionCache has unsubscribed.
            _begun.TrySetCanceled();
        }
#pragma warning disable CA1031 // The reader awaits nothing, so an unexpected exception must be logged here.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Log.BackplaneHandlerFailed(logger, topic, exception);
            _begun.TrySetException(exception);
        }
    }

    // Reads one subscription to its end. Returns the error that ended it, or null if the client is closed.
    private async Task<CacheError?> ReadAsync()
    {
        await using IAsyncEnumerator<TopicEvent> events = cache.Subscribe(topic, FromNow).GetAsyncEnumerator(_stop.Token);
        bool isConnected = false;
        long reconnects = 0;
        while (await events.MoveNextAsync().ConfigureAwait(false))
        {
            if (events.Current is TopicEvent.Error error)
            {
                return error.Failure;
            }

            long now = (events as SubscriptionReader)?.Reconnects ?? 0;
            bool isReconnection = isConnected ? now != reconnects : _hasMissed;
            if (!isConnected || isReconnection)
            {
                await NotifyAsync(isReconnection).ConfigureAwait(false);
            }

            // The server must have accepted the subscription before the entries expire. An entry that is loaded later is not older than the subscription.
            if (events.Current is TopicEvent.Discontinuity || (!isConnected && _hasMissed))
            {
                await ExpireAllAsync().ConfigureAwait(false);
            }

            (isConnected, reconnects, _failures) = (true, now, 0);
            _begun.TrySetResult();
            if (events.Current is TopicEvent.Item item && TryParse(item) is { } message)
            {
                await _handlers.WaitAsync(_stop.Token).ConfigureAwait(false);
                _ = HandleAsync(message);
            }
        }

        _stop.Token.ThrowIfCancellationRequested();
        return null;
    }

    private BackplaneMessage? TryParse(TopicEvent.Item item)
    {
        try
        {
            return BackplaneMessage.FromByteArray(item.Value.ToArray());
        }
#pragma warning disable CA1031 // Any program may publish to the topic, and the parser documents only some of its exceptions.
        catch (Exception)
#pragma warning restore CA1031
        {
            if (_invalid.TryPass(logger, out long messages))
            {
                Log.BackplaneMessageInvalid(logger, topic, messages);
            }

            return null;
        }
    }

    private async Task HandleAsync(BackplaneMessage message)
    {
        await GuardAsync(() => handlers.IncomingMessageHandlerAsync!(message)).ConfigureAwait(false);
        _handlers.Release();
    }

    private async Task NotifyAsync(bool isReconnection) =>
        await GuardAsync(() => handlers.ConnectHandlerAsync!(new BackplaneConnectionInfo(isReconnection))).ConfigureAwait(false);

    private async Task ExpireAllAsync()
    {
        _hasMissed = false;
        if (await GuardAsync(() => expireAll(_stop.Token)).ConfigureAwait(false))
        {
            Log.BackplaneGap(logger, topic);
        }
    }

    // Runs code of the application or of FusionCache. Its exceptions must not end the subscription. Returns whether the code succeeded.
    private async Task<bool> GuardAsync(Func<ValueTask> code)
    {
        try
        {
            await code().ConfigureAwait(false);
            return true;
        }
#pragma warning disable CA1031 // The code may throw any exception.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Log.BackplaneHandlerFailed(logger, topic, exception);
            return false;
        }
    }
}
