using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using Larder.Client.Codecs;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using MessagePack;

namespace Larder.Client.Tests.Codecs;

public sealed partial class TypedCacheTests : IAsyncLifetime
{
    private static readonly JsonCodec<Order> Json = new(Orders.Default.Order);

    private readonly ManualTime _serverTime = new();
    private RunningServer _server = null!;
    private CacheClient _client = null!;
    private TypedCache<Order> _orders = null!;
    private int _made;

    public async Task InitializeAsync()
    {
        _server = await RunningServer.StartAsync(time: _serverTime);
        _client = _server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        _orders = _client.Cache("cache").Typed(Json);
    }

    public async Task DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task Typed_cache_round_trips_values_and_null()
    {
        Expect.Miss(await _orders.GetAsync("k"));
        Expect.Success(await _orders.SetAsync("k", new Order(7, "flour"), TimeSpan.FromHours(2)));
        Assert.Equal(new Order(7, "flour"), Expect.Hit(await _orders.GetAsync("k")));
        Assert.True((await _client.Cache("cache").ItemGetTtlAsync("k")).Value > TimeSpan.FromHours(1));
        Expect.Success(await _orders.SetAsync("none", null));
        Assert.Null(Expect.Hit(await _orders.GetAsync("none")));
    }

    [Fact]
    public async Task Null_fails_with_DecodingFailed_for_a_non_nullable_type()
    {
        await _orders.SetAsync("none", null);
        TypedCache<int> numbers = _client.Cache("cache").Typed(new Numbers());
        Assert.Equal(CacheErrorCode.DecodingFailed, Expect.Error(await numbers.GetAsync("none")).Code);
        await numbers.SetAsync("zero", 0);
        Assert.Equal(0, Expect.Hit(await numbers.GetAsync("zero")));
        Assert.Null(Expect.Hit(await _client.Cache("cache").Typed(new MaybeNumbers()).GetAsync("none")));
    }

    [Fact]
    public async Task Undecodable_item_fails_without_failing_others_or_revealing_its_value()
    {
        await _client.Cache("cache").SetAsync("plain", "secret");
        await _orders.SetAsync("order", new Order(1, "salt"));
        CacheError error = Expect.Error(await _orders.GetAsync("plain"));
        Assert.Equal(CacheErrorCode.DecodingFailed, error.Code);
        Assert.DoesNotContain("secret", error.Message, StringComparison.Ordinal);
        CacheResult<IReadOnlyList<LookupResult<Order?>>> batch = await _orders.GetBatchAsync(["order", "plain", "missing"]);
        IReadOnlyList<LookupResult<Order?>> answers = Expect.Success(batch);
        Assert.Equal(1, Expect.Hit(answers[0])!.Number);
        Assert.Equal(CacheErrorCode.DecodingFailed, Expect.Error(answers[1]).Code);
        Expect.Miss(answers[2]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task GetOrCreate_replaces_an_undecodable_item(bool leased)
    {
        await _client.Cache("cache").SetAsync("k", "plain");
        GetOrCreateResult<Order?> answer = await (leased
            ? _orders.GetOrCreateAsync("k", _ => Make(), new GetOrCreateOptions())
            : _orders.GetOrCreateAsync("k", _ => Make()));
        Assert.Equal(1, Expect.Created(answer).Value!.Number);
        Assert.Equal(1, Expect.Hit(await _orders.GetOrCreateAsync("k", _ => Make())).Value!.Number);
        Assert.Equal(1, Expect.Hit(await _orders.GetAsync("k"))!.Number);
    }

    [Fact]
    public async Task GetOrCreate_recreates_an_undecodable_stale_value_before_returning()
    {
        GetOrCreateOptions options = new() { Ttl = TimeSpan.FromMilliseconds(1), RevalidateFor = TimeSpan.FromHours(1), FailSafeFor = TimeSpan.FromHours(1) };
        await _client.Cache("cache").GetOrCreateAsync("k", _ => ValueTask.FromResult("plain"u8.ToArray()), options);
        _serverTime.AdvanceMs(2);
        Assert.Equal(1, Expect.Created(await _orders.GetOrCreateAsync("k", _ => Make(), options)).Value!.Number);
    }

    [Fact]
    public async Task Null_result_is_stored_with_the_ttl_that_TtlOf_returns()
    {
        GetOrCreateOptions options = new() { Ttl = TimeSpan.FromHours(1) };
        static TimeSpan? TtlOf(Order? order) => order is null ? TimeSpan.FromSeconds(30) : null;
        Assert.Null(Expect.Created(await _orders.GetOrCreateAsync("none", _ => None(), options, TtlOf)).Value);
        Assert.Null(Expect.Hit(await _orders.GetOrCreateAsync("none", _ => None(), options, TtlOf)).Value);
        await _orders.GetOrCreateAsync("some", _ => Make(), options, TtlOf);
        Assert.InRange((await _client.Cache("cache").ItemGetTtlAsync("none")).Value, TimeSpan.Zero, TimeSpan.FromSeconds(30));
        Assert.True((await _client.Cache("cache").ItemGetTtlAsync("some")).Value > TimeSpan.FromMinutes(50));

        ValueTask<Order?> None() => ValueTask.FromResult<Order?>(null);
    }

    [Fact]
    public async Task Callers_sharing_a_load_receive_separate_values()
    {
        TypedCache<Basket> baskets = _client.Cache("cache").Typed(new JsonCodec<Basket>(Orders.Default.Basket));
        TaskCompletionSource begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
        TaskCompletionSource go = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<GetOrCreateResult<Basket?>>[] callers = [.. Enumerable.Range(0, 10).Select(_ => baskets.GetOrCreateAsync("k", MakeAsync).AsTask())];
        await begun.Task;
        go.SetResult();
        Basket?[] all = [.. (await Task.WhenAll(callers)).Select(static answer => answer.Value)];
        Assert.Equal(10, all.Distinct(ReferenceEqualityComparer.Instance).Count());
        Assert.Equal(1, _made);

        async ValueTask<Basket?> MakeAsync(CancellationToken abandoned)
        {
            Interlocked.Increment(ref _made);
            begun.SetResult();
            await go.Task;
            return new Basket { Names = ["flour"] };
        }
    }

    [Fact]
    public async Task GetOrCreateBatch_creates_missing_and_undecodable_items()
    {
        await _orders.SetAsync("a", new Order(5, "a"));
        await _client.Cache("cache").SetAsync("b", "plain");
        List<int> asked = [];
        IReadOnlyList<GetOrCreateResult<Order?>> answers = await _orders.GetOrCreateBatchAsync(["a", "b", "c"], (keys, _) =>
        {
            asked.Add(keys.Count);
            return ValueTask.FromResult<IReadOnlyList<Order?>>([new Order(6, "b"), null]);
        });
        Assert.Equal([5, 6, null], answers.Select(static answer => answer.Value?.Number));
        Assert.Equal([2], asked);
        Assert.Equal(6, Expect.Hit(await _orders.GetAsync("b"))!.Number);
        Assert.Null(Expect.Hit(await _orders.GetAsync("c")));
        await Assert.ThrowsAsync<InvalidOperationException>(async () =>
            await _orders.GetOrCreateBatchAsync(["d"], (_, _) => ValueTask.FromResult<IReadOnlyList<Order?>>(null!)));
    }

    [Fact]
    public async Task Typed_SetBatch_stores_many_items_in_one_call()
    {
        TypedSetBatchItem<Order>[] items = [new("a", new Order(1, "a")), new("b", null, TimeSpan.FromSeconds(5))];
        Expect.Success(await _orders.SetBatchAsync(items, TimeSpan.FromHours(2)));
        Assert.Equal(1, Expect.Hit(await _orders.GetAsync("a"))!.Number);
        Assert.InRange((await _client.Cache("cache").ItemGetTtlAsync("b")).Value, TimeSpan.Zero, TimeSpan.FromSeconds(5));
    }

    [Fact]
    public async Task Encoding_failure_is_thrown_and_stores_nothing()
    {
        TypedCache<int> bad = _client.Cache("cache").Typed(new Throwing());
        await Assert.ThrowsAsync<NotSupportedException>(async () => await bad.SetAsync("k", 1));
        await Assert.ThrowsAsync<NotSupportedException>(async () => await bad.SetBatchAsync([new("k", 1)]));
        GetOrCreateOptions options = new() { Lease = TimeSpan.FromMinutes(10) };
        await Assert.ThrowsAsync<NotSupportedException>(async () => await bad.GetOrCreateAsync("k", _ => ValueTask.FromResult(1), options));
        Expect.Miss(await _client.Cache("cache").GetAsync("k"));
        Expect.Created(await Eventually.Within(_orders.GetOrCreateAsync("k", _ => Make(), options)));
        Assert.Equal(CacheErrorCode.DecodingFailed, Expect.Error(await bad.GetAsync("k")).Code);
    }

    [Fact]
    public async Task Value_over_MaxDecodedBytes_is_not_stored()
    {
        TypedCache<string> texts = _client.Cache("cache").Typed(new TextCodec(), new TypedCacheOptions { MaxDecodedBytes = 10 });
        Expect.Success(await texts.SetAsync("k", new string('a', 10)));
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await texts.SetAsync("over", new string('a', 11))).Code);
        Expect.Error(await texts.SetBatchAsync([new("over", new string('a', 100))]));
        await Assert.ThrowsAsync<ArgumentException>(async () => await texts.GetOrCreateAsync("over", _ => ValueTask.FromResult<string?>(new string('a', 11))));
        Assert.False((await _client.Cache("cache").KeyExistsAsync("over")).Value);
    }

    [Fact]
    public async Task Compressed_text_is_smaller_and_readable_by_caches_without_compression()
    {
        TypedCache<string> small = _client.Cache("cache").Typed(new TextCodec(), new TypedCacheOptions { CompressAbove = 1_024 });
        string text = string.Concat(Enumerable.Repeat("a page of a book. ", 10_000));
        await small.SetAsync("k", text);
        Assert.InRange((await _client.Cache("cache").GetAsync("k")).Value.Length, 1, 5_000);
        Assert.Equal(text, Expect.Hit(await _client.Cache("cache").Typed(new TextCodec()).GetAsync("k")));
    }

    [Fact]
    public async Task MessagePack_values_are_readable_only_by_MessagePack_caches()
    {
        TypedCache<Sack> sacks = _client.Cache("cache").Typed(new MessagePackCodec<Sack>());
        await sacks.SetAsync("k", new Sack { Weight = 25 });
        Assert.Equal(25, Expect.Hit(await sacks.GetAsync("k"))!.Weight);
        Assert.Equal(CacheErrorCode.DecodingFailed, Expect.Error(await _orders.GetAsync("k")).Code);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, true)]
    [InlineData(4, true)]
    [InlineData(5, false)]
    [InlineData(127, false)]
    [InlineData(128, true)]
    [InlineData(255, true)]
    public void Typed_method_rejects_codecs_with_an_invalid_content_number(byte content, bool isTaken)
    {
        Exception? refused = Record.Exception(() => _client.Cache("cache").Typed(new OfContent(content)));
        Assert.Equal(isTaken, refused is null);
        Assert.True(isTaken || refused is ArgumentException);
    }

    [Fact]
    public async Task Invalid_typed_options_and_null_codecs_are_rejected()
    {
        Assert.Throws<ArgumentNullException>(() => _client.Cache("cache").Typed<Order>(null!));
        Assert.Throws<ArgumentOutOfRangeException>(() => _client.Cache("cache").Typed(Json, new TypedCacheOptions { CompressAbove = -1 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => _client.Cache("cache").Typed(Json, new TypedCacheOptions { MaxDecodedBytes = 0 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => _client.Cache("cache").Typed(Json, new TypedCacheOptions { MaxDecodedBytes = (1 << 30) + 1 }));
        Assert.Throws<ArgumentNullException>(() => new JsonCodec<Order>(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await _orders.GetOrCreateAsync("k", null!));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await _orders.SetBatchAsync(null!));
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await _orders.GetAsync("")).Code);
    }

    [Fact]
    public async Task Typed_calls_fail_if_the_cache_name_is_invalid()
    {
        TypedCache<Order> unnamed = _client.Cache("").Typed(Json);
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await unnamed.GetAsync("k")).Code);
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await unnamed.SetAsync("k", new Order(1, "flour"))).Code);
        await Assert.ThrowsAsync<ArgumentException>(async () => await unnamed.GetOrCreateAsync("k", _ => Make()));
        Assert.Equal(0, _made);
    }

    private ValueTask<Order?> Make() => ValueTask.FromResult<Order?>(new Order(Interlocked.Increment(ref _made), "made"));

    internal sealed record Order(int Number, string Name);

    internal sealed class Basket
    {
        public List<string> Names { get; init; } = [];
    }

    [JsonSerializable(typeof(Order))]
    [JsonSerializable(typeof(Basket))]
    internal sealed partial class Orders : JsonSerializerContext;

    [MessagePackObject]
    public sealed class Sack
    {
        [Key(0)]
        public int Weight { get; init; }
    }

    private sealed class Numbers : IValueCodec<int>
    {
        public byte Content => 200;

        public void Encode(int value, IBufferWriter<byte> output) => output.Write(BitConverter.GetBytes(value));

        public int Decode(ReadOnlyMemory<byte> payload) => BitConverter.ToInt32(payload.Span);
    }

    private sealed class MaybeNumbers : IValueCodec<int?>
    {
        public byte Content => 200;

        public void Encode(int? value, IBufferWriter<byte> output) => output.Write(BitConverter.GetBytes(value!.Value));

        public int? Decode(ReadOnlyMemory<byte> payload) => BitConverter.ToInt32(payload.Span);
    }

    private sealed class OfContent(byte content) : IValueCodec<int>
    {
        public byte Content => content;

        public void Encode(int value, IBufferWriter<byte> output) => throw new NotSupportedException("It is not asked to.");

        public int Decode(ReadOnlyMemory<byte> payload) => throw new NotSupportedException("It is not asked to.");
    }

    private sealed class Throwing : IValueCodec<int>
    {
        public byte Content => 3;

        public void Encode(int value, IBufferWriter<byte> output) => throw new NotSupportedException("no");

        public int Decode(ReadOnlyMemory<byte> payload) => throw new InvalidOperationException("no");
    }
}
