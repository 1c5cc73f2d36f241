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
    public async Task A_value_is_stored_and_read_and_none_is_one()
    {
        Assert.IsType<TypedGetResponse<Order>.Miss>(await _orders.GetAsync("k"));
        Assert.IsType<SetResponse.Success>(await _orders.SetAsync("k", new Order(7, "flour"), TimeSpan.FromHours(2)));
        Assert.Equal(new Order(7, "flour"), Assert.IsType<TypedGetResponse<Order>.Hit>(await _orders.GetAsync("k")).Value);
        Assert.True(((ItemGetTtlResponse.Found)await _client.Cache("cache").ItemGetTtlAsync("k")).RemainingTtl > TimeSpan.FromHours(1));
        Assert.IsType<SetResponse.Success>(await _orders.SetAsync("none", null));
        Assert.Null(Assert.IsType<TypedGetResponse<Order>.Hit>(await _orders.GetAsync("none")).Value);
    }

    [Fact]
    public async Task A_type_without_null_reads_none_as_a_decoding_error()
    {
        await _orders.SetAsync("none", null);
        TypedCache<int> numbers = _client.Cache("cache").Typed(new Numbers());
        Assert.Equal(CacheErrorCode.DecodingFailed, Assert.IsType<TypedGetResponse<int>.Error>(await numbers.GetAsync("none")).Code);
        await numbers.SetAsync("zero", 0);
        Assert.Equal(0, Assert.IsType<TypedGetResponse<int>.Hit>(await numbers.GetAsync("zero")).Value);
        Assert.Null(Assert.IsType<TypedGetResponse<int?>.Hit>(await _client.Cache("cache").Typed(new MaybeNumbers()).GetAsync("none")).Value);
    }

    [Fact]
    public async Task What_is_undecodable_is_that_items_error_alone_and_says_nothing_of_the_value()
    {
        await _client.Cache("cache").SetAsync("plain", "secret");
        await _orders.SetAsync("order", new Order(1, "salt"));
        TypedGetResponse<Order>.Error error = Assert.IsType<TypedGetResponse<Order>.Error>(await _orders.GetAsync("plain"));
        Assert.Equal(CacheErrorCode.DecodingFailed, error.Code);
        Assert.DoesNotContain("secret", error.Message, StringComparison.Ordinal);
        TypedGetBatchResponse<Order> batch = await _orders.GetBatchAsync(["order", "plain", "missing"]);
        IReadOnlyList<TypedGetResponse<Order>> answers = Assert.IsType<TypedGetBatchResponse<Order>.Success>(batch).Responses;
        Assert.Equal(1, Assert.IsType<TypedGetResponse<Order>.Hit>(answers[0]).Value!.Number);
        Assert.Equal(CacheErrorCode.DecodingFailed, Assert.IsType<TypedGetResponse<Order>.Error>(answers[1]).Code);
        Assert.IsType<TypedGetResponse<Order>.Miss>(answers[2]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task In_a_get_or_create_what_is_undecodable_is_made_anew_and_replaced(bool leased)
    {
        await _client.Cache("cache").SetAsync("k", "plain");
        TypedGetOrCreateResponse<Order> answer = await (leased
            ? _orders.GetOrCreateAsync("k", _ => Make(), new GetOrCreateOptions())
            : _orders.GetOrCreateAsync("k", _ => Make()));
        Assert.Equal(1, Assert.IsType<TypedGetOrCreateResponse<Order>.Created>(answer).Value!.Number);
        Assert.Equal(1, Assert.IsType<TypedGetOrCreateResponse<Order>.Hit>(await _orders.GetOrCreateAsync("k", _ => Make())).Value!.Number);
        Assert.Equal(1, Assert.IsType<TypedGetResponse<Order>.Hit>(await _orders.GetAsync("k")).Value!.Number);
    }

    [Fact]
    public async Task What_is_stale_and_undecodable_is_made_before_it_is_answered()
    {
        GetOrCreateOptions options = new() { Ttl = TimeSpan.FromMilliseconds(1), RevalidateFor = TimeSpan.FromHours(1), FailSafeFor = TimeSpan.FromHours(1) };
        await _client.Cache("cache").GetOrCreateAsync("k", _ => ValueTask.FromResult("plain"u8.ToArray()), options);
        _serverTime.AdvanceMs(2);
        Assert.Equal(1, Assert.IsType<TypedGetOrCreateResponse<Order>.Created>(await _orders.GetOrCreateAsync("k", _ => Make(), options)).Value!.Number);
    }

    [Fact]
    public async Task There_is_none_is_kept_for_as_long_as_its_value_says()
    {
        GetOrCreateOptions options = new() { Ttl = TimeSpan.FromHours(1) };
        static TimeSpan? TtlOf(Order? order) => order is null ? TimeSpan.FromSeconds(30) : null;
        Assert.Null(Assert.IsType<TypedGetOrCreateResponse<Order>.Created>(await _orders.GetOrCreateAsync("none", _ => None(), options, TtlOf)).Value);
        Assert.Null(Assert.IsType<TypedGetOrCreateResponse<Order>.Hit>(await _orders.GetOrCreateAsync("none", _ => None(), options, TtlOf)).Value);
        await _orders.GetOrCreateAsync("some", _ => Make(), options, TtlOf);
        Assert.InRange(((ItemGetTtlResponse.Found)await _client.Cache("cache").ItemGetTtlAsync("none")).RemainingTtl, TimeSpan.Zero, TimeSpan.FromSeconds(30));
        Assert.True(((ItemGetTtlResponse.Found)await _client.Cache("cache").ItemGetTtlAsync("some")).RemainingTtl > TimeSpan.FromMinutes(50));

        ValueTask<Order?> None() => ValueTask.FromResult<Order?>(null);
    }

    [Fact]
    public async Task Callers_that_share_a_load_have_a_value_of_their_own_each()
    {
        TypedCache<Basket> baskets = _client.Cache("cache").Typed(new JsonCodec<Basket>(Orders.Default.Basket));
        TaskCompletionSource begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
        TaskCompletionSource go = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<TypedGetOrCreateResponse<Basket>>[] callers = [.. Enumerable.Range(0, 10).Select(_ => baskets.GetOrCreateAsync("k", MakeAsync).AsTask())];
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
    public async Task A_batch_makes_what_is_missing_or_undecodable()
    {
        await _orders.SetAsync("a", new Order(5, "a"));
        await _client.Cache("cache").SetAsync("b", "plain");
        List<int> asked = [];
        IReadOnlyList<TypedGetOrCreateResponse<Order>> answers = await _orders.GetOrCreateBatchAsync(["a", "b", "c"], (keys, _) =>
        {
            asked.Add(keys.Count);
            return ValueTask.FromResult<IReadOnlyList<Order?>>([new Order(6, "b"), null]);
        });
        Assert.Equal([5, 6, null], answers.Select(static answer => answer.Value?.Number));
        Assert.Equal([2], asked);
        Assert.Equal(6, Assert.IsType<TypedGetResponse<Order>.Hit>(await _orders.GetAsync("b")).Value!.Number);
        Assert.Null(Assert.IsType<TypedGetResponse<Order>.Hit>(await _orders.GetAsync("c")).Value);
        await Assert.ThrowsAsync<InvalidOperationException>(async () =>
            await _orders.GetOrCreateBatchAsync(["d"], (_, _) => ValueTask.FromResult<IReadOnlyList<Order?>>(null!)));
    }

    [Fact]
    public async Task Many_are_stored_by_one_call()
    {
        TypedSetBatchItem<Order>[] items = [new("a", new Order(1, "a")), new("b", null, TimeSpan.FromSeconds(5))];
        Assert.IsType<SetBatchResponse.Success>(await _orders.SetBatchAsync(items, TimeSpan.FromHours(2)));
        Assert.Equal(1, Assert.IsType<TypedGetResponse<Order>.Hit>(await _orders.GetAsync("a")).Value!.Number);
        Assert.InRange(((ItemGetTtlResponse.Found)await _client.Cache("cache").ItemGetTtlAsync("b")).RemainingTtl, TimeSpan.Zero, TimeSpan.FromSeconds(5));
    }

    [Fact]
    public async Task What_the_codec_cannot_write_is_the_callers_error_and_nothing_is_stored()
    {
        TypedCache<int> bad = _client.Cache("cache").Typed(new Throwing());
        await Assert.ThrowsAsync<NotSupportedException>(async () => await bad.SetAsync("k", 1));
        await Assert.ThrowsAsync<NotSupportedException>(async () => await bad.SetBatchAsync([new("k", 1)]));
        GetOrCreateOptions options = new() { Lease = TimeSpan.FromMinutes(10) };
        await Assert.ThrowsAsync<NotSupportedException>(async () => await bad.GetOrCreateAsync("k", _ => ValueTask.FromResult(1), options));
        Assert.IsType<GetResponse.Miss>(await _client.Cache("cache").GetAsync("k"));
        Assert.IsType<TypedGetOrCreateResponse<Order>.Created>(await Eventually.Within(_orders.GetOrCreateAsync("k", _ => Make(), options)));
        Assert.Equal(CacheErrorCode.DecodingFailed, Assert.IsType<TypedGetResponse<int>.Error>(await bad.GetAsync("k")).Code);
    }

    [Fact]
    public async Task What_is_longer_than_may_be_read_is_not_stored()
    {
        TypedCache<string> texts = _client.Cache("cache").Typed(new TextCodec(), new TypedCacheOptions { MaxDecodedBytes = 10 });
        Assert.IsType<SetResponse.Success>(await texts.SetAsync("k", new string('a', 10)));
        Assert.Equal(CacheErrorCode.InvalidArgument, Assert.IsType<SetResponse.Error>(await texts.SetAsync("over", new string('a', 11))).Failure.Code);
        Assert.IsType<SetBatchResponse.Error>(await texts.SetBatchAsync([new("over", new string('a', 100))]));
        await Assert.ThrowsAsync<ArgumentException>(async () => await texts.GetOrCreateAsync("over", _ => ValueTask.FromResult<string?>(new string('a', 11))));
        Assert.False(((KeyExistsResponse.Success)await _client.Cache("cache").KeyExistsAsync("over")).Exists);
    }

    [Fact]
    public async Task Text_that_compresses_takes_less_at_the_server_and_is_read_without_the_option()
    {
        TypedCache<string> small = _client.Cache("cache").Typed(new TextCodec(), new TypedCacheOptions { CompressAbove = 1_024 });
        string text = string.Concat(Enumerable.Repeat("a page of a book. ", 10_000));
        await small.SetAsync("k", text);
        Assert.InRange(((GetResponse.Hit)await _client.Cache("cache").GetAsync("k")).Value.Length, 1, 5_000);
        Assert.Equal(text, Assert.IsType<TypedGetResponse<string>.Hit>(await _client.Cache("cache").Typed(new TextCodec()).GetAsync("k")).Value);
    }

    [Fact]
    public async Task MessagePack_is_read_by_who_reads_it()
    {
        TypedCache<Sack> sacks = _client.Cache("cache").Typed(new MessagePackCodec<Sack>());
        await sacks.SetAsync("k", new Sack { Weight = 25 });
        Assert.Equal(25, Assert.IsType<TypedGetResponse<Sack>.Hit>(await sacks.GetAsync("k")).Value!.Weight);
        Assert.Equal(CacheErrorCode.DecodingFailed, Assert.IsType<TypedGetResponse<Order>.Error>(await _orders.GetAsync("k")).Code);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, true)]
    [InlineData(4, true)]
    [InlineData(5, false)]
    [InlineData(127, false)]
    [InlineData(128, true)]
    [InlineData(255, true)]
    public void A_codecs_content_is_one_of_Larders_own_or_a_users(byte content, bool isTaken)
    {
        Exception? refused = Record.Exception(() => _client.Cache("cache").Typed(new OfContent(content)));
        Assert.Equal(isTaken, refused is null);
        Assert.True(isTaken || refused is ArgumentException);
    }

    [Fact]
    public async Task Options_out_of_their_ranges_and_missing_codecs_are_told_at_once()
    {
        Assert.Throws<ArgumentNullException>(() => _client.Cache("cache").Typed<Order>(null!));
        Assert.Throws<ArgumentOutOfRangeException>(() => _client.Cache("cache").Typed(Json, new TypedCacheOptions { CompressAbove = -1 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => _client.Cache("cache").Typed(Json, new TypedCacheOptions { MaxDecodedBytes = 0 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => _client.Cache("cache").Typed(Json, new TypedCacheOptions { MaxDecodedBytes = (1 << 30) + 1 }));
        Assert.Throws<ArgumentNullException>(() => new JsonCodec<Order>(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await _orders.GetOrCreateAsync("k", null!));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await _orders.SetBatchAsync(null!));
        Assert.Equal(CacheErrorCode.InvalidArgument, Assert.IsType<TypedGetResponse<Order>.Error>(await _orders.GetAsync("")).Code);
    }

    [Fact]
    public async Task Calls_fail_if_the_caches_name_is_invalid()
    {
        TypedCache<Order> unnamed = _client.Cache("").Typed(Json);
        Assert.Equal(CacheErrorCode.InvalidArgument, Assert.IsType<TypedGetResponse<Order>.Error>(await unnamed.GetAsync("k")).Code);
        Assert.Equal(CacheErrorCode.InvalidArgument, Assert.IsType<SetResponse.Error>(await unnamed.SetAsync("k", new Order(1, "flour"))).Code);
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
