using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Hybrid;

namespace Larder.Client.Tests.Hybrid;

/// <summary>Tests how Larder's HybridCache loads missing values.</summary>
public sealed class HybridLoadTests
{
    [Fact]
    public async Task Thousand_callers_in_four_processes_cause_one_load()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(4);
        TaskCompletionSource release = new();
        int loads = 0;
        Task<string>[] callers = [.. Enumerable.Range(0, 1_000).Select(caller => nodes[caller % 4].GetOrCreateAsync("k", async _ =>
        {
            await release.Task;
            return $"load {Interlocked.Increment(ref loads)}";
        }).AsTask())];
        await Eventually.Holds(() => Array.TrueForAll(Enumerable.Range(0, 4).ToArray(), node => nodes.ClientOf(node).InFlight == 0), "all callers wait");
        release.SetResult();
        Assert.All(await Task.WhenAll(callers), static value => Assert.Equal("load 1", value));
        Assert.Equal(1, loads);
    }

    [Fact]
    public async Task Concurrent_callers_get_separate_copies_of_a_mutable_value()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        TaskCompletionSource release = new();
        Task<List<int>>[] callers = [.. Enumerable.Range(0, 50).Select(_ => nodes[0].GetOrCreateAsync("k", async _ =>
        {
            await release.Task;
            return new List<int> { 1 };
        }).AsTask())];
        release.SetResult();
        List<int>[] values = await Task.WhenAll(callers);
        Assert.Equal(50, values.Distinct(ReferenceEqualityComparer.Instance).Count());
        Assert.All(values, static value => Assert.Equal([1], value));
    }

    [Theory]
    [InlineData(HybridCacheEntryFlags.None)]
    [InlineData(HybridCacheEntryFlags.DisableDistributedCache)]
    public async Task Callers_get_separate_copies_of_an_oversized_value(HybridCacheEntryFlags flags)
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(configure: static options => options.MaximumPayloadBytes = 100);
        List<int> made = [.. Enumerable.Range(0, 100)];
        TaskCompletionSource release = new();
        Task<List<int>>[] callers = [.. Enumerable.Range(0, 50).Select(_ => nodes[0].GetOrCreateAsync(
            "k",
            async _ =>
            {
                await release.Task;
                return made;
            },
            new() { Flags = flags }).AsTask())];
        release.SetResult();
        List<int>[] values = await Task.WhenAll(callers);
        Assert.Equal(51, values.Append(made).Distinct(ReferenceEqualityComparer.Instance).Count());
        Assert.All(values, value => Assert.Equal(made, value));
    }

    [Fact]
    public async Task Synchronous_factory_does_not_block_threads_of_other_callers()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        HybridCacheEntryOptions loads = new() { Flags = HybridCacheEntryFlags.DisableDistributedCacheRead };
        using ManualResetEventSlim started = new();
        using ManualResetEventSlim release = new();
        Task<int> first = Task.Factory.StartNew(() => Load(1), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap();
        try
        {
            started.Wait(Eventually.Limit);
            Task<Task<int>> calling = Task.Factory.StartNew(() => Load(2), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
            Task<int> second = await calling.WaitAsync(Eventually.Limit);
            Assert.False(second.IsCompleted);
            release.Set();
            Assert.Equal((1, 1), (await first, await second));
        }
        finally
        {
            release.Set();
        }

        Task<int> Load(int value) => nodes[0].GetOrCreateAsync(
            "k",
            _ =>
            {
                started.Set();
                release.Wait(CancellationToken.None);
                return ValueTask.FromResult(value);
            },
            loads).AsTask();
    }

    [Fact]
    public async Task Factory_exception_reaches_all_callers_and_is_not_cached()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        TaskCompletionSource release = new();
        int runs = 0;
        Task<int>[] callers = [.. Enumerable.Range(0, 20).Select(_ => nodes[0].GetOrCreateAsync<int>("k", async _ =>
        {
            await release.Task;
            throw new FormatException($"Run {Interlocked.Increment(ref runs)}.");
        }).AsTask())];
        release.SetResult();
        foreach (Task<int> caller in callers)
        {
            Assert.Equal("Run 1.", (await Assert.ThrowsAsync<FormatException>(() => caller)).Message);
        }

        Assert.Equal(2, await nodes.ReadAsync(1, "k", 2));
        await Assert.ThrowsAsync<FormatException>(async () => await nodes[0].GetOrCreateAsync<int>("sync", static _ => throw new FormatException()));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await nodes[0].GetOrCreateAsync<int, int>("null", 0, null!));
    }

    [Fact]
    public async Task Cancelled_caller_leaves_and_the_last_one_cancels_the_factory()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        TaskCompletionSource<CancellationToken> started = new();
        using CancellationTokenSource first = new();
        using CancellationTokenSource second = new();
        Task<int> one = Load(first.Token);
        Task<int> other = Load(second.Token);
        CancellationToken given = await started.Task;
        await first.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => one);
        Assert.False(given.IsCancellationRequested);
        await second.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => other);
        await Eventually.Holds(() => given.IsCancellationRequested, "the factory is cancelled");
        Assert.Equal(7, await Eventually.Within(nodes.ReadAsync(0, "k", 7)));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await nodes[0].GetOrCreateAsync("k", static _ => ValueTask.FromResult(1), cancellationToken: first.Token));

        Task<int> Load(CancellationToken token) => nodes[0].GetOrCreateAsync(
            "k",
            async cancelled =>
            {
                started.TrySetResult(cancelled);
                await Task.Delay(Timeout.Infinite, cancelled);
                return 1;
            },
            cancellationToken: token).AsTask();
    }

    [Fact]
    public async Task Callers_with_different_types_do_not_share_a_load()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        Task<int> number = nodes.ReadAsync(0, "k", 7).AsTask();
        Task<string> text = nodes.ReadAsync(0, "k", "seven").AsTask();
        Assert.Equal((7, "seven"), (await number, await text));
    }

    [Fact]
    public async Task Load_succeeds_when_the_server_dies()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(client: static options => options.RequestTimeout = TimeSpan.FromSeconds(2));
        Assert.Equal(1, await nodes.ReadAsync(0, "before", 1));
        int value = await nodes[0].GetOrCreateAsync("during", async _ =>
        {
            await nodes.Server.DisposeAsync();
            return 2;
        });
        Assert.Equal(2, value);
        Assert.Equal(3, await nodes.ReadAsync(0, "after", 3));
        Assert.Equal(4, await nodes.ReadAsync(0, "after", 4, tags: ["t"]));
        Assert.Equal([1], await nodes.ReadAsync<byte[]>(0, "bytes", [1]));
        await Assert.ThrowsAsync<CacheException>(() => nodes[0].SetAsync("k", 1).AsTask());
        await Assert.ThrowsAsync<CacheException>(() => nodes[0].RemoveAsync("k").AsTask());
        await Assert.ThrowsAsync<CacheException>(() => nodes[0].RemoveAsync(["k", "l"]).AsTask());
        await Assert.ThrowsAsync<CacheException>(() => nodes[0].RemoveByTagAsync("t").AsTask());
    }

    [Fact]
    public async Task Missing_cache_does_not_fail_a_load()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(configure: static options => options.CacheName = "none");
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 1));
        await Assert.ThrowsAsync<CacheException>(() => nodes[0].SetAsync("k", 1).AsTask());
    }

    [Fact]
    public async Task FailSafeFor_serves_the_stale_value_if_the_factory_throws()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2, static options => options.Loading = new() { FailSafeFor = TimeSpan.FromHours(1) });
        HybridCacheEntryOptions brief = new() { Expiration = TimeSpan.FromMilliseconds(50) };
        await nodes.ReadAsync(0, "loaded", "old", brief);
        await nodes[0].SetAsync("set", "old", brief);
        await ExpiredAsync(nodes, "hybrid:loaded");
        await ExpiredAsync(nodes, "hybrid:set");
        Assert.Equal("old", await nodes[1].GetOrCreateAsync<string>("loaded", static _ => throw new FormatException(), brief));
        Assert.Equal("old", await nodes[1].GetOrCreateAsync<string>("set", static _ => throw new FormatException(), brief));
        Assert.Equal("new", await nodes.ReadAsync(1, "loaded", "new", brief));
    }

    [Fact]
    public async Task RevalidateFor_serves_the_stale_value_and_refreshes_it()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2, static options => options.Loading = new() { RevalidateFor = TimeSpan.FromHours(1) });
        await nodes.ReadAsync(0, "k", "old", new() { Expiration = TimeSpan.FromMilliseconds(50) });
        await ExpiredAsync(nodes, "hybrid:k");
        Assert.Equal("old", await nodes.ReadAsync(1, "k", "new"));
        await Eventually.Holds(() => nodes.ReadAsync(0, "k", "newer").AsTask().GetAwaiter().GetResult() == "new", "the value is refreshed");
    }

    [Fact]
    public async Task Oversized_value_is_returned_even_if_there_is_a_stale_one()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(configure: static options =>
        {
            options.Loading = new() { FailSafeFor = TimeSpan.FromHours(1) };
            options.MaximumPayloadBytes = 100;
        });
        await nodes.ReadAsync(0, "k", "old", new() { Expiration = TimeSpan.FromMilliseconds(50) });
        await ExpiredAsync(nodes, "hybrid:k");
        Assert.Equal(101, (await nodes.ReadAsync(0, "k", new string('n', 101))).Length);
        Assert.Equal("new", await Eventually.Within(nodes.ReadAsync(0, "k", "new")));
    }

    [Fact]
    public async Task RefreshAheadFor_is_shortened_to_half_the_expiration()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(
            configure: static options => options.Loading = new() { RefreshAheadFor = TimeSpan.FromHours(2) });
        await nodes.ReadAsync(0, "k", 1, new() { Expiration = TimeSpan.FromHours(1) });
        await nodes[0].SetAsync("set", 1, new() { Expiration = TimeSpan.FromHours(1) });
        Cache cache = nodes.ClientOf(0).Cache("cache");
        foreach (string key in (string[])["hybrid:k", "hybrid:set"])
        {
            Assert.InRange(Expect.Hit(await cache.ItemGetTtlAsync(key)), TimeSpan.FromMinutes(29), TimeSpan.FromMinutes(30));
        }
    }

    [Theory]
    [InlineData(2)]
    [InlineData(48)]
    public async Task Expiration_over_the_server_maximum_is_shortened(int hours)
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(maxTtl: TimeSpan.FromHours(1));
        HybridCacheEntryOptions options = new() { Expiration = TimeSpan.FromHours(hours) };
        await nodes[0].SetAsync("set", 1, options);
        await nodes.ReadAsync(0, "k", 1, options);
        Cache cache = nodes.ClientOf(0).Cache("cache");
        TimeSpan cap = MaxTtlCache.EntryCap(TimeSpan.FromHours(1));
        Assert.InRange(Expect.Hit(await cache.ItemGetTtlAsync("hybrid:set")), cap - TimeSpan.FromMinutes(1), cap);
        Assert.InRange(Expect.Hit(await cache.ItemGetTtlAsync("hybrid:k")), cap - TimeSpan.FromMinutes(1), cap);
    }

    private static Task ExpiredAsync(HybridNodes nodes, string key) => Eventually.Holds(
        () => nodes.ClientOf(0).Cache("cache").GetAsync(key).AsTask().GetAwaiter().GetResult().IsMiss, "the value has expired");
}
