using System.Collections.Concurrent;
using Larder.Client.Tests.Support;
using Larder.Client.Tests.Topics;
using ZiggyCreatures.Caching.Fusion.Backplane;

namespace Larder.Client.Tests.Fusion;

/// <summary>Tests what a backplane reports to FusionCache when its stream is lost, rejected or has a gap.</summary>
public sealed class BackplaneSubscriptionTests
{
    [Fact]
    public async Task Resumed_stream_is_a_reconnection_and_expires_nothing()
    {
        TaskCompletionSource wasRead = new();
        await using TopicScript server = await TopicScript.StartAsync(
            async call =>
            {
                await call.BeginAsync("7-1");
                await wasRead.Task;
                call.Reset();
            },
            static async call =>
            {
                await call.BeginAsync();
                await call.HoldAsync();
            });
        await using Reading reading = new(server);
        await reading.Subscription.StartAsync();
        wasRead.SetResult();
        await reading.SeesAsync("connected", "reconnected");
    }

    [Fact]
    public async Task Gap_expires_all_entries()
    {
        await using TopicScript server = await TopicScript.StartAsync(static async call =>
        {
            await call.BeginAsync("7-1");
            await call.GapAsync(0, 9, 8);
            await call.HoldAsync();
        });
        await using Reading reading = new(server);
        await reading.Subscription.StartAsync();
        await reading.SeesAsync("connected", "expired");
    }

    [Fact]
    public async Task Rejected_subscription_throws_and_expires_entries_when_it_succeeds()
    {
        await using TopicScript server = await TopicScript.StartAsync(
            static call => call.EndAsync(8, "topic_subscriptions_limit_exceeded"),
            static async call =>
            {
                await call.BeginAsync("7-1");
                await call.HoldAsync();
            });
        await using Reading reading = new(server);
        CacheException rejected = await Assert.ThrowsAsync<CacheException>(reading.Subscription.StartAsync);
        Assert.Equal(CacheErrorCode.LimitExceeded, rejected.Error.Code);
        await reading.SeesAsync("reconnected", "expired");
        await Eventually.Holds(
            () => string.Join(' ', reading.Log.Recorded.Select(static line => line.Event)) == "BackplaneNotSubscribed BackplaneGap", "both events are logged");
    }

    [Fact]
    public async Task Second_subscription_of_a_FusionCache_expires_entries()
    {
        await using TopicScript server = await TopicScript.StartAsync(static async call =>
        {
            await call.BeginAsync("7-1");
            await call.HoldAsync();
        });
        await using Reading reading = new(server, isFirst: false);
        await reading.Subscription.StartAsync();
        await reading.SeesAsync("reconnected", "expired");
    }

    [Fact]
    public async Task Handlers_that_throw_do_not_end_the_subscription()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Cache cache = client.Cache("cache");
        ConcurrentQueue<string?> received = new();
        LogLines log = new();
        BackplaneSubscriptionOptions handlers = Handlers.Of(
            "t",
            static _ => throw new InvalidOperationException("connect"),
            message =>
            {
                received.Enqueue(message.CacheKey);
                throw new InvalidOperationException("message");
            });
        BackplaneSubscription subscription = new(
            cache, "t", handlers, static _ => throw new InvalidOperationException("expire"), isFirst: false, TimeProvider.System, new(log));
        await subscription.StartAsync();

        // More messages than handlers that run at once, so that a handler that fails must free its place.
        for (int number = 0; number < 100; number++)
        {
            Expect.Success(await cache.PublishAsync("t", BackplaneMessage.ToByteArray(BackplaneMessage.CreateForEntryRemove("source", $"{number}", 1))));
        }

        await Eventually.Holds(() => received.Count == 100, "all messages are handled");
        await Eventually.Holds(() => log.Recorded.Count(static line => line.Event == "BackplaneHandlerFailed") == 102, "all failures are logged");
        subscription.Stop();
    }

    [Fact]
    public async Task Foreign_messages_are_logged_and_ignored()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Cache cache = client.Cache("cache");
        ConcurrentQueue<string?> received = new();
        LogLines log = new();
        BackplaneSubscriptionOptions handlers = Handlers.Of("t", received: message => received.Enqueue(message.CacheKey));
        BackplaneSubscription subscription = new(
            cache, "t", handlers, static _ => ValueTask.CompletedTask, isFirst: true, TimeProvider.System, new(log));
        await subscription.StartAsync();
        foreach (CacheBytes foreign in (CacheBytes[])["", "text", new byte[] { 0 }, new byte[5_000]])
        {
            Expect.Success(await cache.PublishAsync("t", foreign));
        }

        Expect.Success(await cache.PublishAsync("t", BackplaneMessage.ToByteArray(BackplaneMessage.CreateForEntryRemove("source", "k", 1))));
        await Eventually.Holds(() => received.Contains("k"), "the valid message is handled");
        Assert.Contains(log.Recorded, static line => line.Event == "BackplaneMessageInvalid");
        subscription.Stop();
    }

    [Theory]
    [InlineData(1, 0, 125)]
    [InlineData(1, 1, 250)]
    [InlineData(2, 1, 500)]
    [InlineData(8, 1, 30_000)]
    [InlineData(int.MaxValue, 1, 30_000)]
    public void Waits_between_attempts_grow_to_30_s(int failures, double random, double waitMs) =>
        Assert.Equal(waitMs, BackplaneSubscription.WaitAfter(failures, random).TotalMilliseconds);

    private sealed class Reading : IAsyncDisposable
    {
        private readonly CacheClient _client;
        private readonly ConcurrentQueue<string> _seen = new();

        public Reading(TopicScript server, bool isFirst = true)
        {
            _client = server.Connect(TopicScript.QuickRetries);
            BackplaneSubscriptionOptions handlers = Handlers.Of(
                "t", info => _seen.Enqueue(info.IsReconnection ? "reconnected" : "connected"), message => _seen.Enqueue($"message {message.CacheKey}"));
            Subscription = new(
                _client.Cache("cache"),
                "t",
                handlers,
                _ =>
                {
                    _seen.Enqueue("expired");
                    return ValueTask.CompletedTask;
                },
                isFirst,
                TimeProvider.System,
                new(Log));
        }

        public BackplaneSubscription Subscription { get; }

        public LogLines Log { get; } = new();

        public async Task SeesAsync(params string[] events)
        {
            await Eventually.Holds(() => _seen.Count >= events.Length, string.Join(", ", events));
            Assert.Equal(events, _seen);
        }

        public async ValueTask DisposeAsync()
        {
            Subscription.Stop();
            await _client.DisposeAsync();
        }
    }
}
