using Google.Protobuf;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Fleet;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;
using Outcome = Larder.Protocol.Result.OutcomeOneofCase;

namespace Larder.Server.Tests.Fleet;

/// <summary>Tests of calls through a gateway to a real redis-server.</summary>
public sealed class GatewayCallTests : IDisposable
{
    private readonly RedisServer _redis = new();

    public void Dispose() => _redis.Dispose();

    [Fact]
    public void COLL_10_every_data_call_has_a_gateway_implementation() =>
        Assert.All(CacheCalls.Single.Concat(CacheCalls.Batches), call => Assert.NotNull(RemoteCalls.Find(call)));

    [Fact]
    public async Task Thousands_of_pipelined_calls_return_their_own_values()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await using PipelineClient client = await PipelineClient.OpenAsync(gateway);
        const int Calls = 5_000;
        Task sending = Task.Run(() => SendAllAsync(client, Calls, id => PipelineStreamTests.Set(id, $"k{id}", $"value of k{id}")));
        Dictionary<uint, Result> sets = await client.ReadResultsAsync(Calls);
        await sending;
        Assert.All(sets.Values, result => Assert.Equal(CacheResult.Ok, result.Set.Result));
        sending = Task.Run(() => SendAllAsync(client, Calls, id => PipelineStreamTests.Get(id, $"k{id}")));
        Dictionary<uint, Result> gets = await client.ReadResultsAsync(Calls);
        await sending;
        Assert.All(gets.Values, result => Assert.Equal($"value of k{result.Id}", result.Get.Value.ToStringUtf8()));
    }

    [Fact]
    public async Task Binary_keys_and_values_round_trip()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        byte[][] hostile =
        [
            [0], [13, 10], "*1\r\n$4\r\nPING\r\n"u8.ToArray(),
            "$-1\r\n"u8.ToArray(), "{"u8.ToArray(), "{}"u8.ToArray(), "}{"u8.ToArray(), "{a}b{c}"u8.ToArray(),
            "L1.abc:k"u8.ToArray(), "L:{larder}:caches"u8.ToArray(), [0xFF, 0xFE, 0x00, 0x80], [.. Enumerable.Range(0, 256).Select(value => (byte)value)],
            new byte[70_000],
        ];
        foreach (byte[] bytes in hostile)
        {
            SetRequest set = new() { Key = ByteString.CopyFrom(bytes), Value = ByteString.CopyFrom(bytes), TtlMs = 60_000 };
            await gateway.CallAsync<SetResponse>("/cache_client.Scs/Set", set);
        }

        foreach (byte[] bytes in hostile)
        {
            GetResponse get = await gateway.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = ByteString.CopyFrom(bytes) });
            Assert.Equal(CacheResult.Hit, get.Result);
            Assert.Equal(bytes, get.Value.ToByteArray());
        }

        Assert.Equal(["cache"], await ListAsync(gateway));
    }

    [Fact]
    public async Task Pipelined_read_of_value_over_64_KB_requires_unary_call()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await using PipelineClient client = await PipelineClient.OpenAsync(gateway);
        await client.SendAsync(
            PipelineStreamTests.Set(1, "at", new string('x', 65_536)),
            PipelineStreamTests.Set(2, "over", new string('x', 65_537)),
            PipelineStreamTests.Set(3, "empty", ""));
        await client.ReadResultsAsync(3);
        ByteString over = CallHarness.Bytes("over");
        await client.SendAsync(
            PipelineStreamTests.Get(3, "at"),
            PipelineStreamTests.Get(4, "over"),
            new Operation { Id = 5, GetWithHash = new GetWithHashRequest { Key = over } },
            new Operation { Id = 6, GetBatch = new GetBatchRequest { Items = { new GetRequest { Key = over } } } },
            PipelineStreamTests.Get(7, "empty"));
        Dictionary<uint, Result> results = await client.ReadResultsAsync(5);
        Assert.Equal(65_536, results[3].Get.Value.Length);
        Assert.All([4u, 5u, 6u], id => Assert.Equal(Outcome.UseUnary, results[id].OutcomeCase));
        Assert.Equal(CacheResult.Hit, results[7].Get.Result);
        Assert.Equal(65_537, (await gateway.GetAsync("over")).Value.Length);
    }

    [Theory]
    [InlineData(1 << 20)]
    [InlineData(5_000_191)]
    public async Task Large_value_round_trips(int bytes)
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        byte[] value = new byte[bytes];
        new Random(bytes).NextBytes(value);
        SetRequest set = new() { Key = CallHarness.Bytes("k"), Value = ByteString.CopyFrom(value), TtlMs = 60_000 };
        await gateway.CallAsync<SetResponse>("/cache_client.Scs/Set", set);
        Assert.Equal(value, (await gateway.GetAsync("k")).Value.ToByteArray());
        GetWithHashRequest get = new() { Key = CallHarness.Bytes("k") };
        GetWithHashResponse hashed = await gateway.CallAsync<GetWithHashResponse>("/cache_client.Scs/GetWithHash", get);
        Assert.Equal(value, hashed.Found.Value.ToByteArray());
    }

    [Fact]
    public async Task Batch_results_are_in_order_and_last_duplicate_key_wins()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await using PipelineClient client = await PipelineClient.OpenAsync(gateway);
        SetBatchRequest sets = new();
        sets.Items.AddRange(Enumerable.Range(0, 500).Select(number => PipelineStreamTests.Set(0, $"k{number % 100}", $"k{number % 100} {number}").Set));
        Assert.Equal(500, (await client.AskAsync(new Operation { Id = 1, SetBatch = sets })).SetBatch.Responses.Count);
        GetBatchRequest gets = new();
        gets.Items.AddRange(Enumerable.Range(0, 300)
            .Select(number => new GetRequest { Key = CallHarness.Bytes(number % 3 == 0 ? "none" : $"k{number % 100}") }));
        Result got = await client.AskAsync(new Operation { Id = 2, GetBatch = gets });
        Assert.Equal(
            Enumerable.Range(0, 300).Select(number => number % 3 == 0 ? "" : $"k{number % 100} {400 + (number % 100)}"),
            got.GetBatch.Responses.Select(response => response.Value.ToStringUtf8()));
        KeysExistRequest exist = new();
        exist.Keys.AddRange(Enumerable.Range(0, 200).Select(number => CallHarness.Bytes($"k{number}")));
        Result exists = await client.AskAsync(new Operation { Id = 3, KeysExist = exist });
        Assert.Equal(Enumerable.Range(0, 200).Select(number => number < 100), exists.KeysExist.Exists);
        Assert.Empty((await client.AskAsync(new Operation { Id = 4, GetBatch = new GetBatchRequest() })).GetBatch.Responses);
        Assert.Empty((await client.AskAsync(new Operation { Id = 5, KeysExist = new KeysExistRequest() })).KeysExist.Exists);
    }

    [Theory]
    [InlineData("007", 1, 8)]
    [InlineData("-0", 5, 5)]
    [InlineData("-007", 7, 0)]
    [InlineData("00000000000000000001", 1, 2)]
    [InlineData("9223372036854775806", 1, long.MaxValue)]
    [InlineData("-9223372036854775807", -1, long.MinValue)]
    public async Task Increment_accepts_any_valid_integer_text(string text, long amount, long expected)
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await gateway.SetAsync("n", text);
        Assert.Equal(expected, (await IncrementAsync(gateway, amount)).Value);
        Assert.Equal($"{expected}", (await gateway.GetAsync("n")).Value.ToStringUtf8());
    }

    [Theory]
    [InlineData("9223372036854775807", 1)]
    [InlineData("0009223372036854775807", 1)]
    [InlineData("07", long.MaxValue)]
    [InlineData("9223372036854775808", 0)]
    [InlineData("+5", 1)]
    [InlineData(" 5", 1)]
    [InlineData("-", 1)]
    [InlineData("", 1)]
    [InlineData("000000000000000000001", 1)]
    public async Task Failed_increment_keeps_text_and_TTL(string text, long amount)
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await gateway.SetAsync("n", text, ttlMs: 40_000);
        IncrementRequest request = new() { Key = CallHarness.Bytes("n"), Amount = amount, TtlMs = 80_000 };
        Assert.Equal(StatusCode.FailedPrecondition, (await gateway.FailAsync("Increment", request)).Status.Code);
        Assert.Equal(text, (await gateway.GetAsync("n")).Value.ToStringUtf8());
        ItemGetTtlRequest ask = new() { Key = CallHarness.Bytes("n") };
        ItemGetTtlResponse left = await gateway.CallAsync<ItemGetTtlResponse>("/cache_client.Scs/ItemGetTtl", ask);
        Assert.InRange(left.Found.RemainingMs, 1u, 39_999u);
    }

    [Fact]
    public async Task Call_on_key_of_another_type_fails_with_FailedPrecondition()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await gateway.SetAsync("k", "v");
        string key = _redis.Ask("keys", "*:k").Trim();
        _redis.Ask("del", key);
        _redis.Ask("rpush", key, "item");
        Assert.Equal(StatusCode.FailedPrecondition, (await gateway.FailAsync("Get", new GetRequest { Key = CallHarness.Bytes("k") })).Status.Code);
        IncrementRequest increment = new() { Key = CallHarness.Bytes("k"), Amount = 1, TtlMs = 1_000 };
        Assert.Equal(StatusCode.FailedPrecondition, (await gateway.FailAsync("Increment", increment)).Status.Code);
    }

    [Fact]
    public async Task S5e_full_store_rejects_writes_with_ResourceExhausted_and_serves_reads()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await gateway.SetAsync("k", "v");
        _redis.Ask("config", "set", "maxmemory-policy", "noeviction");
        _redis.Ask("config", "set", "maxmemory", "1");
        SetRequest set = new() { Key = CallHarness.Bytes("n"), Value = CallHarness.Bytes("1"), TtlMs = 1_000 };
        Assert.Equal(StatusCode.ResourceExhausted, (await gateway.FailAsync("Set", set)).Status.Code);
        IncrementRequest increment = new() { Key = CallHarness.Bytes("n"), Amount = 1, TtlMs = 1_000 };
        Assert.Equal(StatusCode.ResourceExhausted, (await gateway.FailAsync("Increment", increment)).Status.Code);
        Assert.Equal("v", (await gateway.GetAsync("k")).Value.ToStringUtf8());
    }

    [Fact]
    public async Task Every_item_written_by_a_gateway_has_a_TTL()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await using PipelineClient client = await PipelineClient.OpenAsync(gateway);
        ByteString value = CallHarness.Bytes("v");
        await client.SendAsync(
            PipelineStreamTests.Set(1, "a", "v"),
            new Operation { Id = 2, Increment = new IncrementRequest { Key = CallHarness.Bytes("b"), Amount = 1, TtlMs = 60_000, KeepTtl = true } },
            new Operation { Id = 3, SetIf = new SetIfRequest { Key = CallHarness.Bytes("c"), Value = value, TtlMs = 60_000, Absent = new Empty() } },
            new Operation { Id = 4, SetIf = new SetIfRequest { Key = CallHarness.Bytes("d"), Value = value, TtlMs = 60_000, NotEqual = new Comparand() } },
            new Operation
            {
                Id = 5,
                SetIfHash = new SetIfHashRequest { Key = CallHarness.Bytes("e"), Value = value, TtlMs = 60_000, AbsentOrHashEqual = new HashComparand() },
            },
            new Operation { Id = 6, SetBatch = new SetBatchRequest { Items = { PipelineStreamTests.Set(0, "f", "v").Set } } });
        await client.ReadResultsAsync(6);
        string[] keys = _redis.Ask("keys", "L*.*:*").Split('\n');
        Assert.Equal(6, keys.Length);
        Assert.All(keys, key => Assert.InRange(long.Parse(_redis.Ask("pttl", key.Trim()), System.Globalization.CultureInfo.InvariantCulture), 1, 60_000));
    }

    [Fact]
    public async Task Concurrent_compare_and_set_loses_no_update()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await gateway.SetAsync("n", "0");
        int stored = 0;
        await Task.WhenAll(Enumerable.Range(0, 8).Select(async _ =>
        {
            for (int round = 0; round < 20; round++)
            {
                GetWithHashRequest get = new() { Key = CallHarness.Bytes("n") };
                GetWithHashResponse present = await gateway.CallAsync<GetWithHashResponse>("/cache_client.Scs/GetWithHash", get);
                int next = int.Parse(present.Found.Value.ToStringUtf8(), System.Globalization.CultureInfo.InvariantCulture) + 1;
                SetIfHashRequest set = new()
                {
                    Key = CallHarness.Bytes("n"),
                    Value = CallHarness.Bytes($"{next}"),
                    TtlMs = 60_000,
                    PresentAndHashEqual = new HashComparand { Hash = present.Found.Hash },
                };
                SetIfHashResponse answer = await gateway.CallAsync<SetIfHashResponse>("/cache_client.Scs/SetIfHash", set);
                if (answer.Stored is not null)
                {
                    Interlocked.Increment(ref stored);
                }
            }
        }));
        Assert.Equal($"{stored}", (await gateway.GetAsync("n")).Value.ToStringUtf8());
    }

    private static async Task SendAllAsync(PipelineClient client, int calls, Func<uint, Operation> make)
    {
        const int PerMessage = 500;
        for (int first = 0; first < calls; first += PerMessage)
        {
            await client.SendAsync(Enumerable.Range(first, PerMessage).Select(id => make((uint)id)));
        }
    }

    private static ValueTask<IncrementResponse> IncrementAsync(RunningServer gateway, long amount) => gateway.CallAsync<IncrementResponse>(
        "/cache_client.Scs/Increment",
        new IncrementRequest { Key = CallHarness.Bytes("n"), Amount = amount, TtlMs = 60_000 });

    private static async Task<IEnumerable<string>> ListAsync(RunningServer gateway) =>
        (await gateway.CallAsync<ListCachesResponse>("/control_client.ScsControl/ListCaches", new ListCachesRequest())).Caches.Select(cache => cache.Name);
}
