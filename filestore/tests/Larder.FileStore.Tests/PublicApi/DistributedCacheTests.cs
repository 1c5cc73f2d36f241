using System.Buffers;
using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>Tests the documented behaviour of IDistributedCache and IBufferDistributedCache.</summary>
public sealed class DistributedCacheTests : IDisposable
{
    private static readonly DistributedCacheEntryOptions NoExpiry = new();
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    private DistributedFileStoreCacheBytes Open() => new(_folder.Options(o => o.TimeProvider = _time));

    public static TheoryData<int> Sizes => [0, 1, 2, 3, 100, 1000, 4096, 65_537, 1 << 20];

    [Theory]
    [MemberData(nameof(Sizes))]
    public async Task Values_of_any_length_round_trip(int size)
    {
        byte[] value = new byte[size];
        new Random(size).NextBytes(value);
        using (DistributedFileStoreCacheBytes cache = Open())
        {
            cache.Set("sync", value, NoExpiry);
            await cache.SetAsync("async", value, NoExpiry);
            cache.Set("one segment", new ReadOnlySequence<byte>(value), NoExpiry);
            await cache.SetAsync("segments", InSegments(value, 3), NoExpiry);
        }
        using DistributedFileStoreCacheBytes again = Open();
        foreach (string key in (string[])["sync", "async", "one segment", "segments"])
        {
            Assert.Equal(value, again.Get(key));
            Assert.Equal(value, await again.GetAsync(key));
            ArrayBufferWriter<byte> sync = new(), async = new();
            Assert.True(again.TryGet(key, sync));
            Assert.True(await again.TryGetAsync(key, async));
            Assert.Equal(value, sync.WrittenSpan.ToArray());
            Assert.Equal(value, async.WrittenSpan.ToArray());
        }
    }

    [Fact]
    public async Task Missing_key_returns_null_and_writes_nothing_to_destination()
    {
        using DistributedFileStoreCacheBytes cache = Open();
        ArrayBufferWriter<byte> destination = new();
        Assert.Null(cache.Get("none"));
        Assert.Null(await cache.GetAsync("none"));
        Assert.False(cache.TryGet("none", destination));
        Assert.False(await cache.TryGetAsync("none", destination));
        Assert.Equal(0, destination.WrittenCount);
    }

    [Fact]
    public async Task Null_arguments_are_rejected_and_empty_key_is_accepted()
    {
        using DistributedFileStoreCacheBytes cache = Open();
        Assert.Throws<ArgumentNullException>(() => cache.Get(null!));
        Assert.Throws<ArgumentNullException>(() => cache.Set(null!, [], NoExpiry));
        Assert.Throws<ArgumentNullException>(() => cache.Set("k", (byte[])null!, NoExpiry));
        Assert.Throws<ArgumentNullException>(() => cache.Remove(null!));
        Assert.Throws<ArgumentNullException>(() => cache.Refresh(null!));
        Assert.Throws<ArgumentNullException>(() => cache.TryGet("k", null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.GetAsync(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.SetAsync("k", (byte[])null!, NoExpiry));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.RefreshAsync(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.RemoveAsync(null!));
        cache.Set("", [1], NoExpiry);
        Assert.Equal([1], cache.Get(""));
    }

    [Fact]
    public void Expirations_not_in_future_are_rejected()
    {
        using DistributedFileStoreCacheBytes cache = Open();
        Assert.Throws<ArgumentOutOfRangeException>(() => cache.Set("k", [1], new() { AbsoluteExpiration = _time.GetUtcNow().AddSeconds(-1) }));
        Assert.Throws<ArgumentOutOfRangeException>(() => new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.Zero });
        Assert.Throws<ArgumentOutOfRangeException>(() => new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromSeconds(-1) });
        Assert.Null(cache.Get("k"));
    }

    [Fact]
    public async Task Refresh_extends_sliding_entry_up_to_absolute_expiration()
    {
        using DistributedFileStoreCacheBytes cache = Open();
        cache.Set("k", [1], new() { SlidingExpiration = TimeSpan.FromSeconds(10), AbsoluteExpiration = _time.GetUtcNow().AddSeconds(25) });
        _time.Advance(TimeSpan.FromSeconds(8));
        cache.Refresh("k");
        _time.Advance(TimeSpan.FromSeconds(8));
        await cache.RefreshAsync("k");
        _time.Advance(TimeSpan.FromSeconds(8));
        Assert.NotNull(cache.Get("k"));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(cache.Get("k"));
    }

    [Fact]
    public async Task Cancelled_token_cancels_call_without_change()
    {
        using DistributedFileStoreCacheBytes cache = Open();
        cache.Set("k", [1], NoExpiry);
        CancellationToken cancelled = new(canceled: true);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.SetAsync("k", [2], NoExpiry, cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await cache.SetAsync("k", new ReadOnlySequence<byte>([2]), NoExpiry, cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.RemoveAsync("k", cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.RefreshAsync("k", cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.GetAsync("k", cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await cache.TryGetAsync("k", new ArrayBufferWriter<byte>(), cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.ClearAllAsync(cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.GetAllKeyValuesAsync(cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.CompareAndSetAsync("k", [1], [2], token: cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.GetOrCreateAsync("new", (_, _) => Task.FromResult<byte[]>([2]), token: cancelled));
        Assert.Equal([1], cache.Get("k"));
    }

    [Fact]
    public void Changes_to_caller_arrays_do_not_affect_cached_value()
    {
        using DistributedFileStoreCacheBytes cache = Open();
        byte[] value = [1, 2];
        cache.Set("k", value, NoExpiry);
        value[0] = 9;
        cache.Get("k")![1] = 9;
        cache.GetAllKeyValues()["k"][1] = 9;
        Assert.Equal([1, 2], cache.Get("k"));
    }

    [Fact]
    public async Task CompareAndSet_and_GetByPrefix_accept_byte_values()
    {
        using DistributedFileStoreCacheBytes cache = Open();
        Assert.True(cache.CompareAndSet("a:1", null, [1]));
        Assert.False(await cache.CompareAndSetAsync("a:1", [2], [3]));
        Assert.True(await cache.CompareAndSetAsync("a:1", [1], [3]));
        cache.Set("b", [4], NoExpiry);
        Assert.Equal([3], Assert.Single(cache.GetByPrefix("a:")).Value);
        Assert.Equal(2, (await cache.GetAllKeyValuesAsync()).Count);
        cache.ClearAll();
        Assert.Equal(0, cache.Count);
    }

    [Fact]
    public async Task GetOrCreate_runs_factory_once_for_concurrent_callers()
    {
        using DistributedFileStoreCacheBytes cache = Open();
        TaskCompletionSource<byte[]> made = new();
        int calls = 0;
        Task<byte[]>[] callers = [.. Enumerable.Range(0, 8).Select(_ => cache.GetOrCreateAsync("k", (_, _) =>
        {
            Interlocked.Increment(ref calls);
            return made.Task;
        }))];
        made.SetResult([7]);
        byte[][] values = await Task.WhenAll(callers);
        Assert.Equal(1, calls);
        values[0][0] = 9;
        Assert.Equal([7], values[1]);
        Assert.Equal([7], cache.Get("k"));
        Assert.Equal([7], cache.GetOrCreate("k", _ => throw new InvalidOperationException()));
        Assert.Equal([8], cache.GetOrCreate("other", _ => [8], new() { SlidingExpiration = TimeSpan.FromSeconds(1) }));
        Assert.Throws<InvalidOperationException>(() => cache.GetOrCreate("null", _ => null!));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(cache.Get("other"));
    }

    [Fact]
    public void Text_and_UTF_8_bytes_are_interchangeable()
    {
        using DistributedFileStoreCacheString texts = _folder.Open();
        using DistributedFileStoreCacheString other = _folder.Open();
        using DistributedFileStoreCacheBytes bytes = new(texts);
        texts.Set("text", "é");
        Assert.Equal([0xC3, 0xA9], bytes.Get("text"));
        bytes.Set("json", "{\"é\":\"\\n\"}\n"u8.ToArray(), NoExpiry);
        Assert.Equal("{\"é\":\"\\n\"}\n", texts.Get("json"));
        Assert.Equal(texts.Get("json"), other.Get("json"));
        Assert.Contains("""{"k":"json","v":"{\"é\":\"\\n\"}\n",""", File.ReadAllText(_folder.CacheFile), StringComparison.Ordinal);
        Assert.True(other.CompareAndSet("json", texts.Get("json"), "1"));
        bytes.Set("json", "2"u8.ToArray(), NoExpiry);
        Assert.True(texts.CompareAndSet("json", "2", "3"));
    }

    [Theory]
    [InlineData(new byte[] { 0xFF })]
    [InlineData(new byte[] { 0 })]
    [InlineData(new byte[] { 65, 127 })]
    [InlineData(new byte[] { 0xED, 0xA0, 0x80 })]
    [InlineData(new byte[] { 0xC0, 0x80 })]
    public void Non_text_values_are_excluded_from_text_listings(byte[] value)
    {
        using DistributedFileStoreCacheString texts = _folder.Open();
        using DistributedFileStoreCacheBytes bytes = new(texts);
        bytes.Set("bytes", value, NoExpiry);
        texts.Set("text", "1");
        Assert.Throws<InvalidOperationException>(() => texts.Get("bytes"));
        foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[texts, _folder.Open()])
        {
            Assert.Equal("text", Assert.Single(cache.GetAllKeyValues()).Key);
            Assert.Equal("text", Assert.Single(cache.GetByPrefix("")).Key);
            Assert.Equal(2, cache.Count);
            Assert.Equal(value, new DistributedFileStoreCacheBytes(cache).Get("bytes"));
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("plain")]
    [InlineData("\t\r\n \"quoted\" \\ \u2028 \uFEFF 😀")]
    public void UTF_8_bytes_round_trip_as_readable_text(string text)
    {
        byte[] value = System.Text.Encoding.UTF8.GetBytes(text);
        using (DistributedFileStoreCacheBytes cache = Open())
        {
            cache.Set("k", value, NoExpiry);
            Assert.Equal(value, cache.Get("k"));
        }
        using DistributedFileStoreCacheBytes again = Open();
        Assert.Equal(value, again.Get("k"));
        Assert.DoesNotContain("\"b\":", File.ReadAllText(_folder.CacheFile), StringComparison.Ordinal);
    }

    private static ReadOnlySequence<byte> InSegments(byte[] value, int count)
    {
        Segment first = new(value.AsMemory(0, value.Length / count), 0);
        Segment last = first;
        for (int i = 1; i < count; i++)
        {
            int start = value.Length / count * i;
            int end = i == count - 1 ? value.Length : value.Length / count * (i + 1);
            last = last.Append(value.AsMemory(start, end - start));
        }
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        internal Segment(ReadOnlyMemory<byte> memory, long runningIndex) => (Memory, RunningIndex) = (memory, runningIndex);

        internal Segment Append(ReadOnlyMemory<byte> memory)
        {
            Segment next = new(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}
