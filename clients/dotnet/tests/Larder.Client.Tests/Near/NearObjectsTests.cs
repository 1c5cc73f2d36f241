using System.Buffers;
using System.ComponentModel;
using System.Text;
using Larder.Client.Codecs;
using Larder.Client.Near;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Near;

/// <summary>Tests the decoded objects that a typed cache keeps in the near cache.</summary>
public sealed class NearObjectsTests : IAsyncLifetime
{
    private const string Cached = "cache";

    private readonly CountingCodec<Immutable> _codec = new(static text => new Immutable(text));
    private RunningServer _server = null!;
    private CacheClient _client = null!;
    private CacheClient _other = null!;

    public async Task InitializeAsync()
    {
        _server = await RunningServer.StartAsync();
        _client = await ConnectAsync(1 << 20);
        _other = _server.Connect(Configurations.Laptop.V1());
    }

    public async Task DisposeAsync()
    {
        await _other.DisposeAsync();
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task Object_of_immutable_type_is_decoded_once_per_copy_and_shared()
    {
        TypedCache<Immutable> cache = _client.Cache(Cached).Typed(_codec);
        await FillAsync(cache, "k", new Immutable("v1"));
        Immutable? first = Expect.Hit(await cache.GetAsync("k"));
        int decoded = _codec.Decoded;
        for (int read = 0; read < 10; read++)
        {
            Assert.Same(first, Expect.Hit(await cache.GetAsync("k")));
            GetOrCreateResult<Immutable?> got = await cache.GetOrCreateAsync("k", static _ => throw new InvalidOperationException());
            Assert.Equal((true, GetOrCreateSource.Hit), (ReferenceEquals(first, got.Value), got.Source));
            got = await cache.GetOrCreateAsync("k", static _ => throw new InvalidOperationException(), new GetOrCreateOptions());
            Assert.Same(first, got.Value);
        }

        Assert.Equal(decoded, _codec.Decoded);
        Assert.EndsWith("v1", Expect.Hit(await _client.Cache(Cached).GetAsync("k")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Kept_object_is_dropped_when_another_client_changes_the_item()
    {
        TypedCache<Immutable> cache = _client.Cache(Cached).Typed(_codec);
        await FillAsync(cache, "k", new Immutable("v1"));
        Assert.Equal("v1", Expect.Hit(await cache.GetAsync("k"))!.Text);
        Expect.Success(await _other.Cache(Cached).Typed(_codec).SetAsync("k", new Immutable("v2")));
        await Eventually.Holds(() => !_client.Cache(Cached).TryGetNear("k", out _), "the copy is dropped");
        Assert.Equal("v2", Expect.Hit(await cache.GetAsync("k"))!.Text);
        Expect.Success(await cache.SetAsync("k", new Immutable("v3")));
        Assert.Equal("v3", Expect.Hit(await cache.GetAsync("k"))!.Text);
        Assert.Equal("v3", Expect.Hit(await cache.GetAsync("k"))!.Text);
    }

    [Fact]
    public async Task Object_of_mutable_type_is_kept_only_on_request()
    {
        CountingCodec<Mutable> codec = new(static text => new Mutable { Text = text });
        TypedCache<Mutable> each = _client.Cache(Cached).Typed(codec);
        await FillAsync(each, "k", new Mutable { Text = "v" });
        Assert.NotSame(Expect.Hit(await each.GetAsync("k")), Expect.Hit(await each.GetAsync("k")));
        TypedCache<Mutable> shared = _client.Cache(Cached).Typed(codec, new TypedCacheOptions { KeepObjects = true });
        Assert.Same(Expect.Hit(await shared.GetAsync("k")), Expect.Hit(await shared.GetAsync("k")));
        TypedCache<Immutable> never = _client.Cache(Cached).Typed(_codec, new TypedCacheOptions { KeepObjects = false });
        await FillAsync(never, "i", new Immutable("v"));
        Assert.NotSame(Expect.Hit(await never.GetAsync("i")), Expect.Hit(await never.GetAsync("i")));
    }

    [Fact]
    public async Task Kept_null_is_a_hit()
    {
        TypedCache<Immutable> cache = _client.Cache(Cached).Typed(_codec);
        await FillAsync(cache, "none", null);
        Assert.Null(Expect.Hit(await cache.GetAsync("none")));
        Assert.Null(Expect.Hit(await cache.GetAsync("none")));
    }

    [Fact]
    public async Task Each_codec_instance_and_length_limit_decodes_for_itself()
    {
        TypedCache<Immutable> cache = _client.Cache(Cached).Typed(_codec);
        await FillAsync(cache, "k", new Immutable("value"));
        Assert.Equal("value", Expect.Hit(await cache.GetAsync("k"))!.Text);
        TypedCache<Immutable> upper = _client.Cache(Cached).Typed(new CountingCodec<Immutable>(static text => new Immutable(text.ToUpperInvariant())));
        Assert.Equal("VALUE", Expect.Hit(await upper.GetAsync("k"))!.Text);
        Assert.Equal("value", Expect.Hit(await cache.GetAsync("k"))!.Text);
        TypedCache<Immutable> small = _client.Cache(Cached).Typed(_codec, new TypedCacheOptions { MaxDecodedBytes = 4 });
        Assert.Equal(CacheErrorCode.DecodingFailed, Expect.Error(await small.GetAsync("k")).Code);
        Assert.Equal("value", Expect.Hit(await cache.GetAsync("k"))!.Text);
    }

    [Fact]
    public async Task Undecodable_copy_fails_every_get_and_is_created_again()
    {
        TypedCache<Immutable> cache = _client.Cache(Cached).Typed(_codec);
        await FillBytesAsync("k", "no envelope"u8.ToArray());
        Assert.Equal(CacheErrorCode.DecodingFailed, Expect.Error(await cache.GetAsync("k")).Code);
        Assert.Equal(CacheErrorCode.DecodingFailed, Expect.Error(await cache.GetAsync("k")).Code);
        GetOrCreateResult<Immutable?> created = await cache.GetOrCreateAsync("k", static _ => new(new Immutable("new")));
        Assert.Equal(("new", GetOrCreateSource.Created), (created.Value!.Text, created.Source));
        Assert.Equal("new", Expect.Hit(await cache.GetAsync("k"))!.Text);
    }

    [Fact]
    public async Task Invalid_arguments_and_cancelled_calls_fail_although_an_object_is_kept()
    {
        TypedCache<Immutable> cache = _client.Cache(Cached).Typed(_codec);
        await FillAsync(cache, "k", new Immutable("v"));
        Expect.Hit(await cache.GetAsync("k"));
        CancellationToken cancelled = new(canceled: true);
        Assert.Equal(CacheErrorCode.Cancelled, Expect.Error(await cache.GetAsync("k", cancelled)).Code);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await cache.GetOrCreateAsync("k", Make, null, cancelled));
        await Assert.ThrowsAsync<ArgumentException>(async () => await cache.GetOrCreateAsync("k", Make, TimeSpan.Zero));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await cache.GetOrCreateAsync("k", null!));
        await Assert.ThrowsAsync<ArgumentException>(async () => await cache.GetOrCreateAsync("k", Make, new GetOrCreateOptions { Jitter = 2 }));
        GetOrCreateOptions ahead = new() { Ttl = TimeSpan.FromSeconds(10), RefreshAheadFor = TimeSpan.FromSeconds(6) };
        await Assert.ThrowsAsync<ArgumentException>(async () => await cache.GetOrCreateAsync("k", Make, ahead));
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await cache.GetAsync("")).Code);

        static ValueTask<Immutable?> Make(CancellationToken cancellationToken) => new(new Immutable("made"));
    }

    [Fact]
    public async Task Kept_objects_count_against_the_memory_limit()
    {
        const int limit = 20_000;
        const int objectBytes = 9_000;
        await using CacheClient client = await ConnectAsync(limit);
        TypedCache<Immutable> cache = client.Cache(Cached).Typed(_codec, new TypedCacheOptions { ObjectBytes = static _ => objectBytes });
        foreach (string key in (string[])["a", "b", "c"])
        {
            await FillAsync(cache, key, new Immutable(key), client);
            Expect.Hit(await cache.GetAsync(key));
            Assert.InRange(client.NearCache!.Bytes, objectBytes, limit);
            client.NearReads!.State.AssertValid();
        }

        Assert.Equal((2, 1), (client.NearCache!.Copies, client.NearCache.Evictions));

        // An object that does not fit is returned and not kept.
        TypedCacheOptions hugeObjects = new() { MaxDecodedBytes = 1_000, ObjectBytes = static _ => long.MaxValue / 2 };
        TypedCache<Immutable> huge = client.Cache(Cached).Typed(_codec, hugeObjects);
        Assert.NotSame(Expect.Hit(await huge.GetAsync("c")), Expect.Hit(await huge.GetAsync("c")));
        client.NearReads!.State.AssertValid();
        Assert.InRange(client.NearCache.Bytes, 0, limit);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(null)]
    public async Task Failing_ObjectBytes_fails_the_call_and_no_other(int? result)
    {
        Func<object, long> measure = _ => result ?? throw new FormatException("no size");
        TypedCache<Immutable> cache = _client.Cache(Cached).Typed(_codec, new TypedCacheOptions { ObjectBytes = measure });
        await FillBytesAsync("k", await StoredAsync("v"));
        Exception error = await Assert.ThrowsAnyAsync<Exception>(async () => await cache.GetAsync("k"));
        Assert.IsType(result is null ? typeof(FormatException) : typeof(InvalidOperationException), error);
        Assert.Equal("v", Expect.Hit(await _client.Cache(Cached).Typed(_codec).GetAsync("k"))!.Text);
    }

    [Fact]
    public void Immutable_types_are_strings_values_without_references_and_marked_sealed_classes()
    {
        Assert.True(ImmutableTypes.Contains<string>());
        Assert.True(ImmutableTypes.Contains<int>());
        Assert.True(ImmutableTypes.Contains<DateTimeOffset?>());
        Assert.True(ImmutableTypes.Contains<Immutable>());
        Assert.False(ImmutableTypes.Contains<byte[]>());
        Assert.False(ImmutableTypes.Contains<ReadOnlyMemory<byte>>());
        Assert.False(ImmutableTypes.Contains<Mutable>());
        Assert.False(ImmutableTypes.Contains<Unsealed>());
        Assert.False(ImmutableTypes.Contains<object>());
    }

    [Fact]
    public void Attach_does_nothing_for_removed_copy()
    {
        NearState state = new(1_000, TimeSpan.FromDays(1));
        state.Opened(1, TimeSpan.Zero, TimeSpan.FromSeconds(10));
        NearGet get = state.Begin(new NearKey(Cached, "k"u8), 1, TimeSpan.Zero);
        state.Answered(get, new ItemHit([1]), 1, TimeSpan.FromDays(1), TimeSpan.Zero);
        NearCopy copy = state.Find(new NearKey(Cached, "k"u8), TimeSpan.Zero)!;
        state.Invalidated(1, [0]);
        state.Attach(copy, new object(), 10);
        Assert.Equal((null, 0L), (copy.Decoded, state.Statistics.Bytes));
        state.AssertValid();
    }

    private async Task<CacheClient> ConnectAsync(long maxBytes)
    {
        CacheClient client = _server.Connect(NearScript.Configured(new NearCache { MaxBytes = maxBytes }));
        Expect.Success(await Eventually.Within(client.ConnectAsync()));
        await Eventually.Holds(() => client.NearReads!.Stream is not null, "there is a near stream");
        return client;
    }

    // Stores a value and reads it once, so that the near cache has a copy.
    private async Task FillAsync<T>(TypedCache<T> cache, string key, T? value, CacheClient? client = null)
    {
        Expect.Success(await cache.SetAsync(key, value));
        await ReadAsync(key, client ?? _client);
    }

    private async Task FillBytesAsync(string key, byte[] stored)
    {
        Expect.Success(await _client.Cache(Cached).SetAsync(key, stored));
        await ReadAsync(key, _client);
    }

    private async Task<byte[]> StoredAsync(string text)
    {
        Expect.Success(await _other.Cache(Cached).Typed(_codec).SetAsync("source", new Immutable(text)));
        return Expect.Hit(await _other.Cache(Cached).GetAsync("source")).ToArray();
    }

    private static async Task ReadAsync(string key, CacheClient client)
    {
        Expect.Hit(await client.Cache(Cached).GetAsync(key));
        Assert.True(client.Cache(Cached).TryGetNear(key, out _));
    }

    [ImmutableObject(true)]
    public sealed class Immutable(string text)
    {
        public string Text => text;

        public override string ToString() => Text;
    }

    public sealed class Mutable
    {
        public string Text { get; set; } = "";

        public override string ToString() => Text;
    }

    [ImmutableObject(true)]
    public class Unsealed;

    private sealed class CountingCodec<T>(Func<string, T> make) : IValueCodec<T>
    {
        public byte Content => 200;

        public int Decoded { get; private set; }

        public void Encode(T value, IBufferWriter<byte> output) => output.Write(Encoding.UTF8.GetBytes($"{value}"));

        public T Decode(ReadOnlyMemory<byte> payload)
        {
            Decoded++;
            return make(Encoding.UTF8.GetString(payload.Span));
        }
    }
}
