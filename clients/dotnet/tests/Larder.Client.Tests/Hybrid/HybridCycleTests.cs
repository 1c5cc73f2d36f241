using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Hybrid;

namespace Larder.Client.Tests.Hybrid;

/// <summary>Tests factories that request the key that they load. Without detection, they would wait for their own lease until it ends.</summary>
public sealed class HybridCycleTests : IAsyncLifetime
{
    private static readonly GetOrCreateOptions Long = new() { Lease = TimeSpan.FromMinutes(10) };
    private static readonly HybridCacheEntryOptions NoCopies = new() { Flags = HybridCacheEntryFlags.DisableLocalCache };
    private HybridNodes _nodes = null!;

    public async Task InitializeAsync() => _nodes = await HybridNodes.StartAsync(configure: static options => options.Loading = Long);

    public async Task DisposeAsync() => await _nodes.DisposeAsync();

    [Fact]
    public async Task Factory_that_requests_its_own_key_does_not_deadlock()
    {
        int value = await Eventually.Within(_nodes[0].GetOrCreateAsync("k", async _ => 1 + await _nodes.ReadAsync(0, "k", 10)));
        Assert.Equal(11, value);
        Assert.Equal(11, await _nodes.ReadAsync(0, "k", 2));
    }

    [Fact]
    public async Task Factory_that_requests_its_key_with_another_type_does_not_deadlock()
    {
        int value = await Eventually.Within(_nodes[0].GetOrCreateAsync("k", async _ => 1 + (await _nodes.ReadAsync(0, "k", "text")).Length));
        Assert.Equal(5, value);
        Assert.Equal(5, await _nodes.ReadAsync(0, "k", 2));
    }

    [Fact]
    public async Task Factory_that_requests_its_key_with_other_flags_does_not_deadlock()
    {
        int value = await Eventually.Within(_nodes[0].GetOrCreateAsync("k", async _ => 1 + await _nodes.ReadAsync(0, "k", 10, NoCopies)));
        Assert.Equal(11, value);
        Assert.Equal(11, await _nodes.ReadAsync(0, "k", 2));
    }

    [Fact]
    public async Task Factory_that_requests_its_key_by_another_HybridCache_does_not_deadlock()
    {
        LarderHybridCache other = new(_nodes.ClientOf(0), new LarderHybridCacheOptions { Loading = Long });
        int value = await Eventually.Within(_nodes[0].GetOrCreateAsync(
            "k", async stop => 1 + await other.GetOrCreateAsync("k", static _ => ValueTask.FromResult(10), cancellationToken: stop)));
        Assert.Equal(11, value);
        Assert.Equal(11, await _nodes.ReadAsync(0, "k", 2));
    }

    [Fact]
    public async Task Factory_that_requests_its_key_by_the_cache_does_not_deadlock()
    {
        Cache cache = _nodes.ClientOf(0).Cache("cache");
        int value = await Eventually.Within(_nodes[0].GetOrCreateAsync(
            "k", async stop => 1 + (await cache.GetOrCreateAsync("hybrid:k", static _ => ValueTask.FromResult(new byte[10]), Long, stop)).Value.Length));
        Assert.Equal(11, value);
        Assert.Equal(11, await _nodes.ReadAsync(0, "k", 2));
    }

    [Fact]
    public async Task Factory_that_joins_a_load_that_waits_for_its_lease_does_not_deadlock()
    {
        TaskCompletionSource joined = new();
        TaskCompletionSource started = new();
        Task<int> first = _nodes[0].GetOrCreateAsync("k", async _ =>
        {
            started.SetResult();
            await joined.Task;
            return 1 + await _nodes.ReadAsync(0, "other", 10);
        }).AsTask();
        await started.Task;

        // The load of the other key waits for a load of the first key with another type, which waits for the lease of the first load.
        Task<int> second = _nodes[0].GetOrCreateAsync("other", async _ =>
        {
            ValueTask<string> waiting = _nodes.ReadAsync(0, "k", "text");
            joined.SetResult();
            return (await waiting).Length;
        }).AsTask();
        Assert.Equal(11, await first.WaitAsync(Eventually.Limit));
        Assert.Equal(4, await second.WaitAsync(Eventually.Limit));
    }

    [Fact]
    public async Task Factory_whose_callers_have_left_can_request_its_own_key()
    {
        TaskCompletionSource started = new();
        TaskCompletionSource release = new();
        using CancellationTokenSource leave = new();
        Task<string>? inner = null;
        Task<int> left = _nodes[0].GetOrCreateAsync(
            "k",
            async _ =>
            {
                started.SetResult();
                await release.Task;
                return (await (inner = _nodes.ReadAsync(0, "k", "text").AsTask())).Length;
            },
            cancellationToken: leave.Token).AsTask();
        await started.Task;
        await leave.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => left);
        release.SetResult();
        await Eventually.Holds(() => inner is { IsCompleted: true }, "the inner load ends");
        Assert.Equal("text", await inner!);
    }

    [Fact]
    public async Task Throwing_cancellation_callback_of_the_factory_does_not_reach_the_caller()
    {
        TaskCompletionSource started = new();
        using CancellationTokenSource leave = new();
        Task<int> left = _nodes[0].GetOrCreateAsync(
            "k",
            async cancelled =>
            {
                using CancellationTokenRegistration callback = cancelled.Register(static () => throw new FormatException());
                started.SetResult();
                await Task.Delay(Timeout.Infinite, cancelled);
                return 1;
            },
            cancellationToken: leave.Token).AsTask();
        await started.Task;
        await leave.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => left);
    }
}
