using Larder.Client.Tests.Hosting;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using ZiggyCreatures.Caching.Fusion;

namespace Larder.Client.Tests.Fusion;

/// <summary>Tests FusionCache's distributed locker on a server.</summary>
public sealed class DistributedLockerTests
{
    private static readonly TimeSpan Lock = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(10);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Callers_of_two_processes_run_one_factory(bool isSynchronous)
    {
        await using FusionNodes nodes = await FusionNodes.StartAsync();
        int runs = 0;
        Task<string>[] callers =
        [
            .. Enumerable.Range(0, isSynchronous ? 8 : 100).Select(caller => isSynchronous
                ? Task.Factory.StartNew(
                    () => nodes[caller % 2].GetOrSet("k", _ => $"loaded {Interlocked.Increment(ref runs)}"),
                    CancellationToken.None,
                    TaskCreationOptions.LongRunning,
                    TaskScheduler.Default)
                : Task.Run(() => nodes[caller % 2].GetOrSetAsync("k", async _ =>
                {
                    await Task.Yield();
                    return $"loaded {Interlocked.Increment(ref runs)}";
                }).AsTask())),
        ];
        Assert.All(await Task.WhenAll(callers).WaitAsync(Eventually.Limit), static value => Assert.Equal("loaded 1", value));
        Assert.Equal(1, runs);
    }

    [Fact]
    public async Task Lock_of_a_dead_process_expires()
    {
        ManualTime serverTime = new();
        await using RunningServer server = await RunningServer.StartAsync(time: serverTime);
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());

        // The clock of the first process stands still, so the process never renews its lock.
        Assert.NotNull(await TakeAsync(new LarderDistributedLocker(client, time: new ManualTime())));
        LarderDistributedLocker other = new(client);
        ManualServerTime.Advance(serverTime, Lock - Tick, client);
        Assert.Null(await TakeAsync(other, TimeSpan.Zero));
        Task<object?> waiting = TakeAsync(other, Timeout.InfiniteTimeSpan);
        serverTime.Advance(Tick);
        Assert.NotNull(await waiting.WaitAsync(Eventually.Limit));
    }

    [Fact]
    public async Task Held_lock_is_renewed_a_limited_number_of_times()
    {
        ManualTime time = new();
        ManualTime serverTime = new();
        await using RunningServer server = await RunningServer.StartAsync(time: serverTime);
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        LarderDistributedLocker locker = new(client, time: time);
        Assert.NotNull(await TakeAsync(locker));
        ManualServerTime.Advance(serverTime, Lock / 3, client);
        Assert.True(await RemainingAsync(client) <= Lock * 2 / 3);
        for (int renewal = 0; renewal < HeldLock.MaxRenewals; renewal++)
        {
            Assert.Equal(1, time.RunningTimers);
            time.Advance(Lock / 3);
            await Eventually.Holds(() => RemainingAsync(client).GetAwaiter().GetResult() >= Lock - Tick, "the lock is renewed");
            await Eventually.Holds(() => time.RunningTimers == (renewal < HeldLock.MaxRenewals - 1 ? 1 : 0), "the next renewal is planned");
        }

        ManualServerTime.Advance(serverTime, Lock, client);
        Assert.NotNull(await TakeAsync(locker));
    }

    [Fact]
    public async Task Release_affects_only_own_lock()
    {
        ManualTime serverTime = new();
        await using RunningServer server = await RunningServer.StartAsync(time: serverTime);
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        LarderDistributedLocker locker = new(client, time: new ManualTime());
        object? old = await TakeAsync(locker);
        ManualServerTime.Advance(serverTime, Lock, client);
        object? current = await TakeAsync(locker);
        Assert.NotNull(current);
        await ReleaseAsync(locker, old);
        Assert.Null(await TakeAsync(locker, TimeSpan.Zero));
        await ReleaseAsync(locker, current);
        await ReleaseAsync(locker, current);
        serverTime.Advance(Tick);
        Assert.NotNull(await TakeAsync(locker));
    }

    [Fact]
    public async Task Wait_ends_at_timeout_with_null_and_at_cancellation_with_an_exception()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        LarderDistributedLocker locker = new(client);
        object? held = locker.AcquireLock("", "", "", "", "k", Timeout.InfiniteTimeSpan, null, default);
        Assert.NotNull(held);
        Assert.Null(await TakeAsync(locker, TimeSpan.FromMilliseconds(20)));
        using CancellationTokenSource cancel = new();
        Task<object?> waiting = TakeAsync(locker, Timeout.InfiniteTimeSpan, cancel.Token);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        locker.ReleaseLock("", "", "", "", "k", held, null, default);
        Assert.NotNull(await TakeAsync(locker, Timeout.InfiniteTimeSpan));
    }

    [Fact]
    public async Task Unavailable_server_throws_and_FusionCache_runs_the_factory()
    {
        await using FusionNodes nodes = await FusionNodes.StartAsync(0);
        int node = nodes.Add(requestTimeout: TimeSpan.FromSeconds(1));
        await nodes.StopServerAsync();
        LarderDistributedLocker locker = new(nodes.ClientOf(node));
        await Assert.ThrowsAsync<CacheException>(() => TakeAsync(locker));
        Assert.Equal("loaded", await nodes[node].GetOrSetAsync<string>("k", static (_, _) => Task.FromResult("loaded")));
    }

    [Fact]
    public async Task Invalid_arguments_are_rejected()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Assert.Throws<ArgumentNullException>(static () => new LarderDistributedLocker(null!));
        LarderDistributedLocker locker = new(client);
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await locker.AcquireLockAsync("", "", "", "", null!, TimeSpan.Zero, null, default));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => TakeAsync(locker, TimeSpan.FromSeconds(-1)));
        await Assert.ThrowsAsync<ArgumentException>(() => ReleaseAsync(locker, new object()));
        await ReleaseAsync(locker, null);
    }

    [Theory]
    [InlineData(0, 0, 2.5)]
    [InlineData(0, 1, 5)]
    [InlineData(3, 1, 40)]
    [InlineData(4, 1, 80)]
    [InlineData(int.MaxValue, 1, 80)]
    public void Waits_for_a_lock_grow_to_80_ms(int attempt, double random, double waitMs) =>
        Assert.Equal(waitMs, LarderDistributedLocker.WaitAfter(attempt, random).TotalMilliseconds);

    private static Task<object?> TakeAsync(LarderDistributedLocker locker, TimeSpan? timeout = null, CancellationToken token = default) =>
        locker.AcquireLockAsync("", "", "", "", "k", timeout ?? TimeSpan.Zero, null, token).AsTask();

    private static Task ReleaseAsync(LarderDistributedLocker locker, object? held) =>
        locker.ReleaseLockAsync("", "", "", "", "k", held, null, default).AsTask();

    private static async Task<TimeSpan> RemainingAsync(CacheClient client) => Expect.Hit(await client.Cache("cache").ItemGetTtlAsync("k"));
}
