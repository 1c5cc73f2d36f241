using System.Buffers;
using System.Text;
using Larder.Client.Codecs;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Leases;

/// <summary>Tests factories that receive a context (GOC-17 to GOC-22).</summary>
public sealed class FactoryContextTests : IAsyncLifetime
{
    private static readonly GetOrCreateOptions Kept = new()
    {
        Ttl = TimeSpan.FromMilliseconds(100),
        FailSafeFor = TimeSpan.FromHours(1),
        Lease = TimeSpan.FromMinutes(10),
    };

    private readonly ManualTime _serverTime = new();
    private RunningServer _server = null!;
    private CacheClient _client = null!;
    private Cache _cache = null!;

    public async Task InitializeAsync()
    {
        _server = await RunningServer.StartAsync(time: _serverTime);
        _client = _server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        _cache = _client.Cache("cache");
    }

    public async Task DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task GOC_17_missing_value_gives_a_context_without_stale_value()
    {
        bool? hasStale = null;
        GetOrCreateResult<CacheValue> result = await LoadAsync(context =>
        {
            hasStale = context.HasStale;
            Assert.Throws<InvalidOperationException>(() => context.StaleValue);
            return "v"u8.ToArray();
        });
        Assert.Equal("v", Expect.Created(result).Value.Text);
        Assert.False(hasStale);
    }

    [Fact]
    public async Task GOC_17_context_contains_a_copy_of_the_stale_value()
    {
        await ExpireAsync();
        GetOrCreateResult<CacheValue> result = await LoadAsync(context =>
        {
            Assert.True(context.HasStale);
            Assert.Equal("old"u8.ToArray(), context.StaleValue);
            context.StaleValue[0] = (byte)'x';
            throw new InvalidOperationException("no");
        });
        Assert.Equal("old", Expect.Stale(result).Value.Text);
    }

    [Fact]
    public async Task GOC_17_stale_value_that_may_not_be_returned_is_in_the_context()
    {
        await ExpireAsync();
        GetOrCreateOptions strict = Kept with { FailSafeFor = TimeSpan.Zero };
        GetOrCreateResult<CacheValue> result = await LoadAsync(static context => [.. context.StaleValue, (byte)'!'], strict);
        Assert.Equal("old!", Expect.Created(result).Value.Text);
    }

    [Fact]
    public async Task GOC_17_background_refresh_receives_the_value_that_it_replaces()
    {
        GetOrCreateOptions ahead = new() { Ttl = TimeSpan.FromMilliseconds(500), RefreshAheadFor = TimeSpan.FromMilliseconds(200) };
        await LoadAsync(static _ => "old"u8.ToArray(), ahead);
        _serverTime.AdvanceMs(301);
        byte[] returned = Expect.Hit(await LoadAsync(static context => [.. context.StaleValue, (byte)'!'], ahead)).Value.ToArray();
        Assert.Equal("old"u8.ToArray(), returned);
        await ValueIsAsync("old!");
    }

    [Fact]
    public async Task GOC_17_typed_context_contains_the_decoded_stale_value()
    {
        TypedCache<List<int>> lists = _cache.Typed(new MessagePackCodec<List<int>>());
        await lists.GetOrCreateAsync("k", static (_, _) => new ValueTask<List<int>?>([1]), Kept);
        _serverTime.AdvanceMs(101);
        GetOrCreateResult<List<int>?> result = await lists.GetOrCreateAsync(
            "k",
            static (context, _) =>
            {
                context.StaleValue!.Add(2);
                return new ValueTask<List<int>?>(context.StaleValue);
            },
            Kept);
        Assert.Equal([1, 2], Expect.Created(result).Value);
        Assert.Equal([1, 2], Expect.Hit(await lists.GetAsync("k")));
    }

    [Fact]
    public async Task GOC_18_ttl_of_the_context_is_stored_instead_of_the_ttl_of_the_call()
    {
        await LoadAsync(static context =>
        {
            context.Ttl = TimeSpan.FromHours(5);
            return "v"u8.ToArray();
        });
        await TtlIsAsync(TimeSpan.FromHours(5));
    }

    [Fact]
    public async Task GOC_18_invalid_ttl_acts_as_a_factory_exception()
    {
        Task<GetOrCreateResult<CacheValue>> InvalidAsync() => LoadAsync(static context =>
        {
            context.Ttl = TimeSpan.Zero;
            return "v"u8.ToArray();
        });
        await Assert.ThrowsAsync<ArgumentException>(InvalidAsync);
        await ExpireAsync();
        Assert.Equal("old", Expect.Stale(await InvalidAsync()).Value.Text);
        Expect.Created(await LoadAsync(static _ => "new"u8.ToArray()).WaitAsync(Eventually.Limit));
    }

    [Fact]
    public async Task GOC_19_tags_of_the_context_are_stored_in_addition_to_those_of_the_call()
    {
        foreach (string tag in (string[])["call", "result"])
        {
            await LoadAsync(
                static context =>
                {
                    context.Tags = ["result"];
                    return "v"u8.ToArray();
                },
                Kept with { Tags = ["call"] });
            Expect.Hit(await _cache.GetAsync("k"));
            await _cache.RemoveByTagAsync([tag]);
            Expect.Miss(await _cache.GetAsync("k"));
        }
    }

    [Fact]
    public async Task GOC_19_tag_that_is_invalidated_during_the_load_makes_the_value_a_miss()
    {
        GetOrCreateResult<CacheValue> result = await _cache.GetOrCreateAsync(
            "k",
            async (context, cancelled) =>
            {
                await _cache.RemoveByTagAsync(["result"], cancelled);
                context.Tags = ["result"];
                return "read before"u8.ToArray();
            },
            Kept);
        Assert.Equal("read before", result.Value.Text);
        Expect.Miss(await _cache.GetAsync("k"));
    }

    [Fact]
    public async Task GOC_19_invalid_tags_act_as_a_factory_exception()
    {
        foreach (IReadOnlyList<CacheBytes> tags in (IReadOnlyList<CacheBytes>[])[null!, [""], [.. Enumerable.Repeat<CacheBytes>("t", 128)]])
        {
            await Assert.ThrowsAsync<ArgumentException>(() => LoadAsync(
                context =>
                {
                    context.Tags = tags;
                    return "v"u8.ToArray();
                },
                Kept with { Tags = ["call"] }));
        }

        Task<GetOrCreateResult<CacheValue>> valid = LoadAsync(
            static context =>
            {
                context.Tags = [.. Enumerable.Repeat<CacheBytes>("t", 127)];
                return "v"u8.ToArray();
            },
            Kept with { Tags = ["call"] });
        Expect.Created(await valid.WaitAsync(Eventually.Limit));
    }

    [Fact]
    public async Task GOC_19_server_without_tags_stores_no_value_with_tags_of_the_context()
    {
        await using UnaryOnlyServer server = UnaryOnlyServer.Start();
        await using CacheClient client = new(Configurations.Laptop.V1(), CredentialProvider.Local(port: server.Port), TimeSpan.FromMinutes(1));
        Expect.Uncached(await client.Cache("cache").GetOrCreateAsync("k", Tagged, Kept));
        Assert.Equal(0, server.Sets);

        static ValueTask<byte[]> Tagged(FactoryContext<byte[]> context, CancellationToken cancelled)
        {
            context.Tags = ["t"];
            return new ValueTask<byte[]>("v"u8.ToArray());
        }
    }

    [Fact]
    public async Task GOC_20_unstored_value_is_returned_to_all_callers_and_the_lease_is_released()
    {
        TaskCompletionSource<byte[]> value = new(TaskCreationOptions.RunContinuationsAsynchronously);
        int runs = 0;
        List<Task<GetOrCreateResult<CacheValue>>> callers =
        [
            .. Enumerable.Range(0, 3).Select(_ => _cache.GetOrCreateAsync("k", RunAsync, Kept).AsTask()),
        ];
        await Eventually.Holds(() => Volatile.Read(ref runs) == 1, "the factory runs");
        value.SetResult("v"u8.ToArray());
        foreach (GetOrCreateResult<CacheValue> result in await Task.WhenAll(callers).WaitAsync(Eventually.Limit))
        {
            Assert.Equal("v", Expect.Created(result).Value.Text);
        }

        Assert.Equal(1, runs);
        Expect.Miss(await _cache.GetAsync("k"));
        Expect.Created(await LoadAsync(static _ => "stored"u8.ToArray()).WaitAsync(Eventually.Limit));
        await ValueIsAsync("stored");

        async ValueTask<byte[]> RunAsync(FactoryContext<byte[]> context, CancellationToken cancelled)
        {
            Interlocked.Increment(ref runs);
            context.DoNotStore = true;
            return await value.Task.WaitAsync(cancelled);
        }
    }

    [Fact]
    public async Task GOC_20_stale_value_remains_after_a_value_that_is_not_stored()
    {
        await ExpireAsync();
        Expect.Created(await LoadAsync(static context =>
        {
            context.DoNotStore = true;
            return "unstored"u8.ToArray();
        }));
        Assert.Equal("old", Expect.Stale(await LoadAsync(static _ => throw new InvalidOperationException("no"))).Value.Text);
    }

    [Fact]
    public async Task GOC_21_unmodified_value_is_stored_again_with_a_new_ttl()
    {
        await ExpireAsync();
        GetOrCreateResult<CacheValue> result = await LoadAsync(static context =>
        {
            context.StaleValue[0] = (byte)'x';
            context.NotModified();
            context.Ttl = TimeSpan.FromHours(2);
            context.Tags = ["again"];
            return "ignored"u8.ToArray();
        });
        Assert.Equal("old", Expect.Created(result).Value.Text);
        await ValueIsAsync("old");
        await TtlIsAsync(TimeSpan.FromHours(2));
        await _cache.RemoveByTagAsync(["again"]);
        Expect.Miss(await _cache.GetAsync("k"));
    }

    [Fact]
    public async Task GOC_21_unmodified_value_of_a_typed_cache_is_not_encoded_again()
    {
        CountingCodec codec = new();
        TypedCache<string> texts = _cache.Typed(codec);
        await texts.GetOrCreateAsync("k", static (_, _) => new ValueTask<string?>("old"), Kept);
        _serverTime.AdvanceMs(101);
        GetOrCreateResult<string?> result = await texts.GetOrCreateAsync("k", static (context, _) => new ValueTask<string?>(context.NotModified()), Kept);
        Assert.Equal("old", Expect.Created(result).Value);
        Assert.Equal("old", Expect.Hit(await texts.GetAsync("k")));
        Assert.Equal(1, codec.Encoded);
    }

    [Fact]
    public async Task GOC_21_NotModified_throws_without_a_stale_value()
    {
        await Assert.ThrowsAsync<InvalidOperationException>(() => LoadAsync(static context => context.NotModified()));
        Expect.Miss(await _cache.GetAsync("k"));
        Expect.Created(await LoadAsync(static _ => "v"u8.ToArray()).WaitAsync(Eventually.Limit));
    }

    [Fact]
    public async Task GOC_22_etag_is_stored_with_the_value_and_kept_by_an_unmodified_value()
    {
        List<string?> seen = [];
        string longest = new('e', 1_024);
        foreach ((string? etag, bool isNew) in ((string?, bool)[])[
            ("\"v1\"", true),
            (null, false),
            ("\"v2\" ☃", false),
            (longest, true),
            ("", true),
            ("\"v3\"", true),
            (null, true),
            (null, true)])
        {
            await LoadAsync(context =>
            {
                seen.Add(context.StaleETag);
                context.ETag = etag;
                return isNew ? "v"u8.ToArray() : context.NotModified();
            });
            _serverTime.AdvanceMs(101);
        }

        Assert.Equal([null, "\"v1\"", "\"v1\"", "\"v2\" ☃", longest, null, "\"v3\"", null], seen);
    }

    [Theory]
    [InlineData('e', 1_025)]
    [InlineData('e', 10_240)]
    [InlineData('☃', 342)]
    [InlineData('\ud800', 1)]
    public async Task GOC_22_invalid_etag_acts_as_a_factory_exception(char text, int count)
    {
        await Assert.ThrowsAsync<ArgumentException>(() => LoadAsync(context =>
        {
            context.ETag = new string(text, count);
            return "v"u8.ToArray();
        }));
        Expect.Miss(await _cache.GetAsync("k"));
        Expect.Created(await LoadAsync(static _ => "v"u8.ToArray()).WaitAsync(Eventually.Limit));
    }

    [Fact]
    public async Task GOC_22_another_client_gets_the_etag()
    {
        await LoadAsync(static context =>
        {
            context.ETag = "v1";
            return "old"u8.ToArray();
        });
        _serverTime.AdvanceMs(101);
        await using CacheClient other = _server.Connect(Configurations.Laptop.V1());
        string? etag = null;
        GetOrCreateResult<CacheValue> result = await other.Cache("cache").GetOrCreateAsync(
            "k",
            (context, _) =>
            {
                etag = context.StaleETag;
                return new ValueTask<byte[]>(context.NotModified());
            },
            Kept);
        Assert.Equal(("old", "v1"), (Expect.Created(result).Value.Text, etag));
    }

    private async Task ExpireAsync()
    {
        await LoadAsync(static _ => "old"u8.ToArray());
        _serverTime.AdvanceMs(101);
    }

    private Task<GetOrCreateResult<CacheValue>> LoadAsync(Func<FactoryContext<byte[]>, byte[]> factory, GetOrCreateOptions? options = null) =>
        _cache.GetOrCreateAsync("k", (context, _) => new ValueTask<byte[]>(factory(context)), options ?? Kept).AsTask();

    // The server's clock has a granularity of 1 ms.
    private async Task TtlIsAsync(TimeSpan ttl) => Assert.InRange((await _cache.ItemGetTtlAsync("k")).Value, ttl - TimeSpan.FromMilliseconds(2), ttl);

    private async Task ValueIsAsync(string text)
    {
        while (await _cache.GetAsync("k") is not { IsHit: true } hit || hit.Value.Text != text)
        {
            await Task.Delay(10);
        }
    }

    private sealed class CountingCodec : IValueCodec<string>
    {
        public byte Content => 200;

        public int Encoded { get; private set; }

        public void Encode(string value, IBufferWriter<byte> output)
        {
            Encoded++;
            output.Write(Encoding.UTF8.GetBytes(value));
        }

        public string Decode(ReadOnlyMemory<byte> payload) => Encoding.UTF8.GetString(payload.Span);
    }
}
