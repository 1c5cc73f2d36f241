using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

public sealed class StringInterfaceTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Get_returns_the_last_set_value_or_null_after_remove()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        cache.Set("key", "value");
        Assert.Equal("value", cache.Get("key"));
        cache.Set("key", "other");
        Assert.Equal("other", cache.Get("key"));
        cache.Remove("key");
        Assert.Null(cache.Get("key"));
        cache.Remove("key");
        cache.Engine().AssertValid();
    }

    [Theory]
    [InlineData("")]
    [InlineData("é \" \\ / \n\t\r\u0001\u007f")]
    [InlineData("漢字 😀")]
    [InlineData("lone \ud83d surrogate é")]
    [InlineData("\udc00")]
    [InlineData("{\"c\":\"00000000\"}\n")]
    public void Any_text_round_trips_as_key_and_value(string text)
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("key" + text, text);
            cache.Set(text, "by itself");
            Assert.Equal(text, cache.Get("key" + text));
        }
        using DistributedFileStoreCacheString again = _folder.Open();
        Assert.Equal(text, again.Get("key" + text));
        Assert.Equal("by itself", again.Get(text));
    }

    [Fact]
    public void Two_caches_on_one_file_see_each_others_writes()
    {
        using DistributedFileStoreCacheString a = _folder.Open();
        using DistributedFileStoreCacheString b = _folder.Open();
        for (int round = 0; round < 1000; round++)
        {
            (round % 2 == 0 ? a : b).Set("round", round.ToString());
            Assert.Equal(round.ToString(), (round % 2 == 0 ? b : a).Get("round"));
            if (round % 97 == 0)
            {
                a.ClearAll();
                Assert.Null(b.Get("round"));
            }
        }
    }

    [Fact]
    public void Cache_reads_entries_after_compaction_by_another_cache()
    {
        using DistributedFileStoreCacheString a = _folder.Open();
        using DistributedFileStoreCacheString b = _folder.Open();
        for (int round = 0; round < 12; round++)
        {
            for (int i = 0; i < 50; i++)
            {
                a.Set($"key{i}", $"{round}-{i}");
            }
            Assert.True(a.Engine().Compact());
            if (round % 3 == 0)
            {
                Assert.Equal($"{round}-7", b.Get("key7"));
                Assert.Equal(50, b.Count);
                b.Set("from b", round.ToString());
                Assert.Equal(round.ToString(), a.Get("from b"));
                b.Remove("from b");
            }
        }
        Assert.Equal(13, a.Status.Generation);
        Assert.DoesNotContain(Directory.GetFiles(_folder.Path), f => f.EndsWith(".tmp", StringComparison.Ordinal));
    }

    [Fact]
    public void Large_cache_contains_the_same_entries_after_reopen()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            for (int i = 0; i < 20_000; i++)
            {
                cache.Set($"key{i}", $"value{i}");
            }
            for (int i = 0; i < 20_000; i += 3)
            {
                cache.Remove($"key{i}");
            }
            cache.Engine().AssertValid();
        }
        using DistributedFileStoreCacheString again = _folder.Open();
        Assert.Equal(13_333, again.Count);
        Assert.Null(again.Get("key3"));
        Assert.Equal("value19999", again.Get("key19999"));
        again.Engine().AssertValid();
    }

    [Fact]
    public void SetMany_and_ClearAll_write_one_line_each()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        cache.SetMany([new("a", "1"), new("b", "2"), new("a", "3")]);
        Assert.Equal("3", cache.Get("a"));
        int lines = LinesOfFile();
        cache.ClearAll([new("c", "4"), new("d", "5")]);
        Assert.Equal(lines + 1, LinesOfFile());
        Assert.Null(cache.Get("a"));
        Assert.Equal(["c", "d"], cache.GetAllKeyValues().Keys.Order());
        cache.SetMany(null!);
        cache.SetMany([]);
        Assert.Equal(lines + 1, LinesOfFile());
    }

    [Fact]
    public async Task Async_methods_return_the_same_results_as_synchronous_methods()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        await cache.SetAsync("a", "1");
        await cache.SetManyAsync([new("b", "2")]);
        Assert.Equal("1", await cache.GetAsync("a"));
        Assert.Null(await cache.GetAsync("none"));
        Assert.Equal(2, (await cache.GetAllKeyValuesAsync()).Count);
        await cache.RemoveAsync("a");
        Assert.Null(await cache.GetAsync("a"));
        await cache.RefreshAsync("b");
        await cache.ClearAllAsync([new("c", "3")]);
        Assert.Equal(1, cache.Count);
    }

    [Fact]
    public void GetAllKeyValues_returns_same_immutable_object_until_a_change()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        cache.Set("a", "1");
        IReadOnlyDictionary<string, string> before = cache.GetAllKeyValues();
        Assert.Same(before, cache.GetAllKeyValues());
        cache.Set("b", "2");
        Assert.Single(before);
        Assert.Equal(2, cache.GetAllKeyValues().Count);
        Assert.Throws<NotSupportedException>(() => ((IDictionary<string, string>)before).Add("x", "y"));
    }

    [Fact]
    public void Periodic_file_check_keeps_cached_GetAllKeyValues_result()
    {
        ManualTime time = new();
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.TimeProvider = time);
        cache.Set("a", "1", new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) });
        IReadOnlyDictionary<string, string> before = cache.GetAllKeyValues();
        time.Advance(TimeSpan.FromMinutes(1));
        Assert.Same(before, cache.GetAllKeyValues());
        time.Advance(TimeSpan.FromMinutes(59));
        Assert.Empty(cache.GetAllKeyValues());
    }

    [Fact]
    public void Concurrent_opens_of_new_cache_succeed()
    {
        for (int round = 0; round < 20; round++)
        {
            using ScratchFolder folder = new();
            DistributedFileStoreCacheString[] caches = new DistributedFileStoreCacheString[4];
            Parallel.For(0, caches.Length, i =>
            {
                caches[i] = folder.Open();
                caches[i].Set("key" + i, "value");
            });
            Assert.All(caches, c => Assert.Equal(4, c.Count));
            Array.ForEach(caches, c => c.Dispose());
        }
    }

    [Fact]
    public void GetByPrefix_returns_matching_keys()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        cache.SetMany([new("user:1", "a"), new("user:2", "b"), new("order:1", "c")]);
        Assert.Equal(["user:1", "user:2"], cache.GetByPrefix("user:").Keys.Order());
        Assert.Equal(3, cache.GetByPrefix("").Count);
    }

    [Fact]
    public void CompareAndSet_changes_value_only_if_expected_value_matches()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        Assert.True(cache.CompareAndSet("key", null, "1"));
        Assert.False(cache.CompareAndSet("key", null, "2"));
        Assert.False(cache.CompareAndSet("key", "0", "2"));
        Assert.True(cache.CompareAndSet("key", "1", "2"));
        Assert.Equal("2", cache.Get("key"));
        Assert.True(cache.CompareAndSet("key", "2", null));
        Assert.Null(cache.Get("key"));
    }

    [Fact]
    public async Task GetOrCreateAsync_runs_factory_once_for_concurrent_callers()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        TaskCompletionSource<string> made = new();
        int calls = 0;
        Task<string>[] callers = [.. Enumerable.Range(0, 20).Select(_ => cache.GetOrCreateAsync("key", (_, _) =>
        {
            Interlocked.Increment(ref calls);
            return made.Task;
        }))];
        made.SetResult("value");
        Assert.All(await Task.WhenAll(callers), v => Assert.Equal("value", v));
        Assert.Equal(1, calls);
        Assert.Equal("value", cache.GetOrCreate("key", _ => throw new InvalidOperationException()));
        Assert.Throws<InvalidOperationException>(() => cache.GetOrCreate("other", _ => throw new InvalidOperationException()));
        Assert.Equal("made", cache.GetOrCreate("other", _ => "made"));
    }

    [Fact]
    public async Task Factory_is_cancelled_only_when_last_caller_cancels()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        TaskCompletionSource<CancellationToken> started = new();
        using CancellationTokenSource first = new(), second = new();
        Func<string, CancellationToken, Task<string>> factory = async (_, token) =>
        {
            started.SetResult(token);
            await Task.Delay(Timeout.Infinite, token);
            return "";
        };
        Task<string> a = cache.GetOrCreateAsync("key", factory, token: first.Token);
        CancellationToken shared = await started.Task;
        Task<string> b = cache.GetOrCreateAsync("key", factory, token: second.Token);
        await first.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => a);
        Assert.False(shared.IsCancellationRequested);
        await second.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => b);
        Assert.True(shared.IsCancellationRequested);
    }

    [Fact]
    public async Task Null_arguments_are_rejected()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        Assert.Throws<ArgumentNullException>(() => cache.Get(null!));
        Assert.Throws<ArgumentNullException>(() => cache.Set(null!, "v"));
        Assert.Throws<ArgumentNullException>(() => cache.Set("k", null!));
        Assert.Throws<ArgumentNullException>(() => cache.Remove(null!));
        Assert.Throws<ArgumentNullException>(() => cache.SetMany([new(null!, "v")]));
        Assert.Throws<ArgumentNullException>(() => cache.ClearAll([new("k", null!)]));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.GetAsync(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.SetAsync("k", null!));
    }

    [Fact]
    public void Closed_cache_throws_ObjectDisposedException()
    {
        DistributedFileStoreCacheString cache = _folder.Open();
        cache.Set("key", "value");
        cache.Dispose();
        cache.Dispose();
        Assert.Throws<ObjectDisposedException>(() => cache.Get("key"));
        Assert.Throws<ObjectDisposedException>(() => cache.Set("key", "v"));
    }

    [Fact]
    public void Many_caches_can_be_opened_in_one_process()
    {
        for (int i = 0; i < 150; i++)
        {
            using DistributedFileStoreCacheString cache = _folder.Open(o => o.FirstPartOfCacheFileName = "Cache" + i % 10);
            cache.Set("key", i.ToString());
            Assert.Equal(i.ToString(), cache.Get("key"));
        }
    }

    private int LinesOfFile() => File.ReadAllLines(_folder.CacheFile).Length;
}
