using Larder.Client.Calls;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using ZiggyCreatures.Caching.Fusion;
using ZiggyCreatures.Caching.Fusion.Backplane;

namespace Larder.Client;

/// <summary>
/// Implements FusionCache's backplane on a topic of a Larder server. <see cref="LarderFusionCacheExtensions.WithLarder"/> registers it.
/// <para>
/// The subscription reconnects automatically and resumes at its position, so a lost connection loses no message while the server has it (by default the latest
/// 1,000 messages, at most 1 MiB). FusionCache is notified of each reconnection. If messages may be missing, for example after a restart of the server, all
/// earlier entries expire in this process, as after FusionCache's <c>Clear</c> with fail-safe, and are loaded again. This needs FusionCache's tagging: with
/// <see cref="FusionCacheOptions.DisableTagging"/>, entries in memory live until they expire.
/// </para>
/// <para>
/// A failed publication throws a <see cref="CacheException"/>. FusionCache logs it and publishes the message again (auto-recovery). If the server rejects the
/// subscription, for example at its limits of topics or subscribers, <see cref="SubscribeAsync"/> throws a <see cref="CacheException"/>, the failure is logged,
/// and the backplane continues to subscribe: first after 250 ms, later every 30 s.
/// </para>
/// </summary>
public sealed class LarderBackplane : IFusionCacheBackplane
{
    private readonly Cache _cache;
    private readonly IFusionCache _owner;
    private readonly string _prefix;
    private readonly TimeProvider _time;
    private readonly GuardedLogger _logger;
    private readonly TaskCompletionSource<string> _topic = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _lock = new();
    private BackplaneSubscription? _subscription;

    /// <summary>Creates a backplane for one FusionCache. Pass it to <see cref="IFusionCache.SetupBackplane"/> of the same FusionCache.</summary>
    /// <param name="client">The client. It is not disposed with this object; the caller must dispose it.</param>
    /// <param name="fusionCache">The FusionCache that uses the backplane.</param>
    /// <param name="options">The settings. If null, the defaults apply.</param>
    /// <param name="time">The clock for the waits between attempts to subscribe. If null, the system's clock.</param>
    /// <param name="logger">Receives failures. If null, nothing is logged.</param>
    /// <exception cref="ArgumentException">A setting is invalid.</exception>
    public LarderBackplane(
        CacheClient client,
        IFusionCache fusionCache,
        LarderFusionCacheOptions? options = null,
        TimeProvider? time = null,
        ILogger<LarderBackplane>? logger = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(fusionCache);
        LarderFusionCacheOptions given = options ?? new LarderFusionCacheOptions();
        given.Check();
        _cache = client.Cache(given.CacheName);
        _owner = fusionCache;
        _prefix = given.KeyPrefix;
        _time = time ?? TimeProvider.System;
        _logger = new GuardedLogger(logger ?? (ILogger)NullLogger.Instance);
    }

    /// <inheritdoc/>
    public void Subscribe(BackplaneSubscriptionOptions options) => SubscribeAsync(options).AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public async ValueTask SubscribeAsync(BackplaneSubscriptionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (string.IsNullOrEmpty(options.ChannelName) || options is not { IncomingMessageHandlerAsync: not null, ConnectHandlerAsync: not null })
        {
            throw new ArgumentException(
                "The options must contain a channel name and the asynchronous handlers of messages and connections.", nameof(options));
        }

        string topic = _prefix + options.ChannelName;
        BackplaneSubscription subscription;
        lock (_lock)
        {
            // FusionCache subscribes again if its first attempts fail. Messages may have been missed since then.
            bool isFirst = _subscription is null;
            _subscription?.Stop();
            _subscription = subscription = new BackplaneSubscription(_cache, topic, options, ExpireAllAsync, isFirst, _time, _logger);
        }

        _topic.TrySetResult(topic);
        await subscription.StartAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Unsubscribe()
    {
        lock (_lock)
        {
            _subscription?.Stop();
        }
    }

    /// <inheritdoc/>
    public ValueTask UnsubscribeAsync()
    {
        Unsubscribe();
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public void Publish(BackplaneMessage message, FusionCacheEntryOptions options, CancellationToken token = default) => BlockingScope.Wait(
        (Backplane: this, Message: message, Options: options, Token: token),
        static call => call.Backplane.PublishAsync(call.Message, call.Options, call.Token).AsTask());

    /// <inheritdoc/>
    public async ValueTask PublishAsync(BackplaneMessage message, FusionCacheEntryOptions options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(message);

        // FusionCache subscribes in the background, and the topic is known only then.
        string topic = await _topic.Task.WaitAsync(_cache.Timeout, _time, token).ConfigureAwait(false);
        if (await _cache.PublishAsync(topic, BackplaneMessage.ToByteArray(message), token).ConfigureAwait(false) is { Error: { } error })
        {
            throw LarderDistributedCache.Failed(error, token);
        }
    }

    // Expires all earlier entries in this process only. Entries on the server that are older than this moment are not used by this process any more, because
    // after a restart of the server they may come from a snapshot.
    private ValueTask ExpireAllAsync(CancellationToken token) => _owner.ClearAsync(
        allowFailSafe: true,
        new FusionCacheEntryOptions
        {
            Duration = TimeSpan.FromDays(1),
            Size = 0,
            SkipDistributedCacheRead = true,
            SkipDistributedCacheWrite = true,
            SkipBackplaneNotifications = true,
            SkipDistributedLocker = true,
        },
        token);
}
