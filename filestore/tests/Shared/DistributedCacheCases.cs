using System.Buffers;
using Microsoft.Extensions.Caching.Distributed;
using Xunit;

namespace Larder.DistributedCacheCases;

/// <summary>
/// Test cases for <see cref="IDistributedCache"/>, for example for expirations, times in the past and argument names. The expected behaviour is the documented
/// behaviour of .NET or that of .NET's own caches. If these caches differ, ADR-0045 defines the expected behaviour. The cases run against the file cache and
/// the server cache, with the asynchronous and with the blocking members.
/// </summary>
internal static class Cases
{
    private static readonly TimeSpan Tick = TimeSpan.FromTicks(1);
    private static readonly DistributedCacheEntryOptions NoExpiry = new();

    /// <summary>A cache, and the clock that the cache and its store use.</summary>
    internal sealed record Subject(IBufferDistributedCache Cache, TimeProvider Time, Action<TimeSpan> Advance);

    private static readonly Dictionary<string, Func<Subject, Task>> All = new()
    {
        ["missing key returns null"] = MissingKey,
        ["values round-trip, and keys are case-sensitive"] = RoundTrips,
        ["large value round-trips in one or several segments"] = LargeValues,
        ["changes to caller arrays do not affect the cached value"] = OwnBytes,
        ["set replaces value and expiration, remove deletes the entry"] = OverwritesAndRemoves,
        ["null options mean no expiration"] = NullOptions,
        ["null arguments are rejected"] = NullArguments,
        ["absolute expiration not in the future is rejected"] = PastMoments,
        ["past absolute expiration is rejected with a relative one too"] = PastMomentBesideRelative,
        ["options reject expirations that are not positive"] = NonPositiveLifetimesThrow,
        ["relative expiration is exact"] = RelativeLife,
        ["absolute expiration is exact"] = AbsoluteMoment,
        ["relative expiration takes precedence over absolute"] = RelativeWins,
        ["entry with an expiration of one tick expires at once"] = TickLifetimeExpires,
        ["entry with an expiration of one millisecond is stored"] = MillisecondLifetimeExpires,
        ["entry with an expiration of one day is stored"] = LongLifetimeIsKept,
        ["sliding entry expires when it is not read"] = SlidingUnread,
        ["reads and refreshes extend a sliding entry"] = SlidingRead,
        ["absolute expiration limits a sliding entry"] = SlidingCapped,
        ["refresh ignores missing keys and entries without sliding expiration"] = RefreshElsewhere,
        ["cancelled token cancels the call without a change"] = Cancelled,
    };

    /// <summary>
    /// Gets the names of the cases, each with a value that indicates whether the blocking members are used. The blocking members have no cancellation tokens.
    /// </summary>
    internal static TheoryData<string, bool> Names
    {
        get
        {
            TheoryData<string, bool> names = [];
            foreach (string name in All.Keys)
            {
                names.Add(name, false);
                if (All[name] != Cancelled)
                {
                    names.Add(name, true);
                }
            }
            return names;
        }
    }

    internal static Task RunAsync(string name, bool blocking, Subject subject) =>
        All[name](blocking ? subject with { Cache = new Blocking(subject.Cache) } : subject);

    private static DistributedCacheEntryOptions In(TimeSpan life) => new() { AbsoluteExpirationRelativeToNow = life };

    private static DistributedCacheEntryOptions In(int seconds) => In(TimeSpan.FromSeconds(seconds));

    private static DistributedCacheEntryOptions Sliding(int seconds, int? cap = null) =>
        new() { SlidingExpiration = TimeSpan.FromSeconds(seconds), AbsoluteExpirationRelativeToNow = cap is { } end ? TimeSpan.FromSeconds(end) : null };

    private static async Task MissingKey(Subject s)
    {
        Assert.Null(s.Cache.Get("none"));
        Assert.Null(await s.Cache.GetAsync("none"));
        ArrayBufferWriter<byte> written = new();
        Assert.False(await s.Cache.TryGetAsync("none", written));
        Assert.Equal(0, written.WrittenCount);
    }

    private static async Task RoundTrips(Subject s)
    {
        s.Cache.Set("k", [1], NoExpiry);
        await s.Cache.SetAsync("K", [], NoExpiry);
        await s.Cache.SetAsync("sequence", new ReadOnlySequence<byte>([3]), NoExpiry);
        Assert.Equal([1], await s.Cache.GetAsync("k"));
        Assert.Empty(s.Cache.Get("K")!);
        Assert.Equal([3], await s.Cache.GetAsync("sequence"));
    }

    private static async Task LargeValues(Subject s)
    {
        byte[] large = new byte[1 << 20];
        new Random(1).NextBytes(large);
        await s.Cache.SetAsync("whole", large, NoExpiry);
        await s.Cache.SetAsync("pieces", Pieces(large, 1_000), NoExpiry);
        foreach (string key in (string[])["whole", "pieces"])
        {
            Assert.Equal(large, await s.Cache.GetAsync(key));
            ArrayBufferWriter<byte> written = new();
            Assert.True(await s.Cache.TryGetAsync(key, written));
            Assert.Equal(large, written.WrittenSpan.ToArray());
        }
    }

    private static async Task OwnBytes(Subject s)
    {
        byte[] mine = [1];
        await s.Cache.SetAsync("k", mine, NoExpiry);
        mine[0] = 2;
        byte[] given = (await s.Cache.GetAsync("k"))!;
        Assert.Equal([1], given);
        given[0] = 3;
        Assert.Equal([1], await s.Cache.GetAsync("k"));
    }

    private static async Task OverwritesAndRemoves(Subject s)
    {
        await s.Cache.SetAsync("k", [1], In(10));
        await s.Cache.SetAsync("k", [2], NoExpiry);
        s.Advance(TimeSpan.FromSeconds(20));
        Assert.Equal([2], await s.Cache.GetAsync("k"));
        await s.Cache.RemoveAsync("k");
        Assert.Null(await s.Cache.GetAsync("k"));
        s.Cache.Remove("k");
    }

    private static async Task NullOptions(Subject s)
    {
        s.Cache.Set("sync", [1], null!);
        await s.Cache.SetAsync("async", [2], null!);
        await s.Cache.SetAsync("sequence", new ReadOnlySequence<byte>([3]), null!);
        s.Advance(TimeSpan.FromHours(1));
        Assert.Equal([1], await s.Cache.GetAsync("sync"));
        Assert.Equal([2], await s.Cache.GetAsync("async"));
        Assert.Equal([3], await s.Cache.GetAsync("sequence"));
    }

    private static async Task NullArguments(Subject s)
    {
        IBufferDistributedCache cache = s.Cache;
        Assert.Throws<ArgumentNullException>("key", () => cache.Get(null!));
        Assert.Throws<ArgumentNullException>("key", () => cache.Set(null!, [1], NoExpiry));
        Assert.Throws<ArgumentNullException>("value", () => cache.Set("k", (byte[])null!, NoExpiry));
        Assert.Throws<ArgumentNullException>("key", () => cache.Refresh(null!));
        Assert.Throws<ArgumentNullException>("key", () => cache.Remove(null!));
        Assert.Throws<ArgumentNullException>("key", () => cache.TryGet(null!, new ArrayBufferWriter<byte>()));
        Assert.Throws<ArgumentNullException>("destination", () => cache.TryGet("k", null!));
        await Assert.ThrowsAsync<ArgumentNullException>("key", () => cache.GetAsync(null!));
        await Assert.ThrowsAsync<ArgumentNullException>("key", () => cache.SetAsync(null!, [1], NoExpiry));
        await Assert.ThrowsAsync<ArgumentNullException>("key", () => cache.SetAsync(null!, [1], In(Tick)));
        await Assert.ThrowsAsync<ArgumentNullException>("value", () => cache.SetAsync("k", (byte[])null!, NoExpiry));
        await Assert.ThrowsAsync<ArgumentNullException>("key", async () => await cache.SetAsync(null!, new ReadOnlySequence<byte>([1]), NoExpiry));
        await Assert.ThrowsAsync<ArgumentNullException>("key", () => cache.RefreshAsync(null!));
        await Assert.ThrowsAsync<ArgumentNullException>("key", () => cache.RemoveAsync(null!));
    }

    private static async Task PastMoments(Subject s)
    {
        await s.Cache.SetAsync("k", [1], NoExpiry);
        foreach (TimeSpan ago in (TimeSpan[])[TimeSpan.Zero, Tick, TimeSpan.FromDays(1000)])
        {
            DistributedCacheEntryOptions past = new() { AbsoluteExpiration = s.Time.GetUtcNow() - ago };
            ArgumentOutOfRangeException refused = Assert.Throws<ArgumentOutOfRangeException>("AbsoluteExpiration", () => s.Cache.Set("k", [2], past));
            Assert.Equal(past.AbsoluteExpiration, refused.ActualValue);
            Assert.StartsWith("The absolute expiration value must be in the future.", refused.Message, StringComparison.Ordinal);
            await Assert.ThrowsAsync<ArgumentOutOfRangeException>("AbsoluteExpiration", () => s.Cache.SetAsync("k", [2], past));
            await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
                "AbsoluteExpiration",
                async () => await s.Cache.SetAsync("k", new ReadOnlySequence<byte>([2]), past));
        }
        Assert.Equal([1], await s.Cache.GetAsync("k"));
    }

    private static async Task PastMomentBesideRelative(Subject s)
    {
        DistributedCacheEntryOptions both = In(10);
        both.AbsoluteExpiration = s.Time.GetUtcNow();
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>("AbsoluteExpiration", () => s.Cache.SetAsync("k", [2], both));
        Assert.Null(await s.Cache.GetAsync("k"));
    }

    private static Task NonPositiveLifetimesThrow(Subject s)
    {
        foreach (TimeSpan life in (TimeSpan[])[TimeSpan.Zero, -Tick, TimeSpan.MinValue])
        {
            Assert.Throws<ArgumentOutOfRangeException>("AbsoluteExpirationRelativeToNow", () => In(life));
            Assert.Throws<ArgumentOutOfRangeException>("SlidingExpiration", () => new DistributedCacheEntryOptions { SlidingExpiration = life });
        }
        return Task.CompletedTask;
    }

    private static async Task RelativeLife(Subject s)
    {
        await s.Cache.SetAsync("k", [1], In(10));
        s.Advance(TimeSpan.FromMilliseconds(9_999));
        Assert.Equal([1], await s.Cache.GetAsync("k"));
        s.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Null(await s.Cache.GetAsync("k"));
    }

    private static async Task AbsoluteMoment(Subject s)
    {
        await s.Cache.SetAsync(
            "k",
            [1],
            new DistributedCacheEntryOptions { AbsoluteExpiration = s.Time.GetUtcNow().AddSeconds(10).ToOffset(TimeSpan.FromHours(9)) });
        s.Advance(TimeSpan.FromMilliseconds(9_999));
        Assert.Equal([1], await s.Cache.GetAsync("k"));
        s.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Null(await s.Cache.GetAsync("k"));
    }

    private static async Task RelativeWins(Subject s)
    {
        DistributedCacheEntryOptions both = In(10);
        both.AbsoluteExpiration = s.Time.GetUtcNow().AddSeconds(100);
        await s.Cache.SetAsync("k", [1], both);
        s.Advance(TimeSpan.FromSeconds(10));
        Assert.Null(await s.Cache.GetAsync("k"));
    }

    private static async Task TickLifetimeExpires(Subject s)
    {
        foreach (DistributedCacheEntryOptions options in (DistributedCacheEntryOptions[])
            [In(Tick), new() { SlidingExpiration = Tick }, new() { AbsoluteExpiration = s.Time.GetUtcNow() + Tick }, In(TimeSpan.FromMilliseconds(1) - Tick)])
        {
            await s.Cache.SetAsync("k", [1], NoExpiry);
            await s.Cache.SetAsync("k", [2], options);
            Assert.Null(await s.Cache.GetAsync("k"));
            await s.Cache.RefreshAsync("k");
            Assert.Null(s.Cache.Get("k"));
        }
    }

    private static async Task MillisecondLifetimeExpires(Subject s)
    {
        await s.Cache.SetAsync("k", [1], In(TimeSpan.FromMilliseconds(1)));
        Assert.Equal([1], await s.Cache.GetAsync("k"));
        s.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Null(await s.Cache.GetAsync("k"));
    }

    private static async Task LongLifetimeIsKept(Subject s)
    {
        TimeSpan day = TimeSpan.FromDays(1);
        await s.Cache.SetAsync("relative", [1], In(day));
        await s.Cache.SetAsync("absolute", [1], new DistributedCacheEntryOptions { AbsoluteExpiration = s.Time.GetUtcNow() + day });
        await s.Cache.SetAsync("sliding", [1], new DistributedCacheEntryOptions { SlidingExpiration = day });
        s.Advance(TimeSpan.FromHours(23));
        foreach (string key in (string[])["relative", "absolute", "sliding"])
        {
            Assert.Equal([1], await s.Cache.GetAsync(key));
        }
    }

    private static async Task SlidingUnread(Subject s)
    {
        await s.Cache.SetAsync("k", [1], Sliding(10));
        s.Advance(TimeSpan.FromSeconds(10));
        Assert.Null(await s.Cache.GetAsync("k"));
    }

    private static async Task SlidingRead(Subject s)
    {
        await s.Cache.SetAsync("k", [1], Sliding(10));
        for (int i = 0; i < 5; i++)
        {
            s.Advance(TimeSpan.FromSeconds(8));
            Assert.Equal([1], await s.Cache.GetAsync("k"));
            s.Advance(TimeSpan.FromSeconds(8));
            await s.Cache.RefreshAsync("k");
        }
        s.Advance(TimeSpan.FromSeconds(10));
        Assert.Null(await s.Cache.GetAsync("k"));
    }

    private static async Task SlidingCapped(Subject s)
    {
        await s.Cache.SetAsync("k", [1], Sliding(10, cap: 26));
        for (int i = 0; i < 3; i++)
        {
            s.Advance(TimeSpan.FromSeconds(8));
            Assert.Equal([1], await s.Cache.GetAsync("k"));
        }
        s.Advance(TimeSpan.FromSeconds(2));
        Assert.Null(await s.Cache.GetAsync("k"));
    }

    private static async Task RefreshElsewhere(Subject s)
    {
        await s.Cache.RefreshAsync("none");
        Assert.Null(await s.Cache.GetAsync("none"));
        await s.Cache.SetAsync("k", [1], In(10));
        s.Advance(TimeSpan.FromSeconds(8));
        await s.Cache.RefreshAsync("k");
        s.Advance(TimeSpan.FromSeconds(2));
        Assert.Null(await s.Cache.GetAsync("k"));
    }

    private static async Task Cancelled(Subject s)
    {
        await s.Cache.SetAsync("k", [1], NoExpiry);
        CancellationToken cancelled = new(canceled: true);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => s.Cache.SetAsync("k", [2], NoExpiry, cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => s.Cache.SetAsync("k", [2], In(Tick), cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => s.Cache.RemoveAsync("k", cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => s.Cache.RefreshAsync("k", cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => s.Cache.GetAsync("k", cancelled));
        Assert.Equal([1], await s.Cache.GetAsync("k"));
    }

    private static ReadOnlySequence<byte> Pieces(byte[] whole, int length)
    {
        Piece first = new(whole.AsMemory(0, length), 0);
        Piece last = first;
        for (int at = length; at < whole.Length; at += length)
        {
            last = last.Then(whole.AsMemory(at, Math.Min(length, whole.Length - at)));
        }
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Piece : ReadOnlySequenceSegment<byte>
    {
        public Piece(ReadOnlyMemory<byte> memory, long runningIndex)
        {
            Memory = memory;
            RunningIndex = runningIndex;
        }

        public Piece Then(ReadOnlyMemory<byte> memory)
        {
            Piece next = new(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }

    /// <summary>Implements the asynchronous members with the blocking members.</summary>
    private sealed class Blocking(IBufferDistributedCache cache) : IBufferDistributedCache
    {
        public byte[]? Get(string key) => cache.Get(key);

        public Task<byte[]?> GetAsync(string key, CancellationToken token = default) => Task.FromResult(cache.Get(key));

        public bool TryGet(string key, IBufferWriter<byte> destination) => cache.TryGet(key, destination);

        public ValueTask<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token = default) =>
            new(cache.TryGet(key, destination));

        public void Set(string key, byte[] value, DistributedCacheEntryOptions options) => cache.Set(key, value, options);

        public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options) => cache.Set(key, value, options);

        public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken token = default)
        {
            cache.Set(key, value, options);
            return Task.CompletedTask;
        }

        public ValueTask SetAsync(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options, CancellationToken token = default)
        {
            cache.Set(key, value, options);
            return default;
        }

        public void Refresh(string key) => cache.Refresh(key);

        public Task RefreshAsync(string key, CancellationToken token = default)
        {
            cache.Refresh(key);
            return Task.CompletedTask;
        }

        public void Remove(string key) => cache.Remove(key);

        public Task RemoveAsync(string key, CancellationToken token = default)
        {
            cache.Remove(key);
            return Task.CompletedTask;
        }
    }
}
