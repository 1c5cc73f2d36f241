using System.Globalization;
using Google.Protobuf;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Calls.Collections;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Collections;

/// <summary>Tests of requirements that apply only to the collections of a gateway.</summary>
[Collection(GatewayServer.Name)]
public sealed class GatewayCollectionTests(GatewayServer server)
{
    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Scores_round_trip_exactly_and_minus_zero_becomes_zero(Transport transport)
    {
        Random random = new(5);
        double[] scores =
        [
            0.1, 1e22, 1e-7, 5e-324, double.MaxValue, double.MinValue, double.Epsilon, 9_007_199_254_740_993, 1.0 / 3, double.PositiveInfinity,
            double.NegativeInfinity, .. Enumerable.Range(0, 200).Select(_ => BitConverter.Int64BitsToDouble(random.NextInt64())).Where(double.IsFinite),
        ];
        foreach (int few in new[] { 10, scores.Length })
        {
            ByteString name = server.NewKey();
            SortedSetPutRequest put = new() { Name = name, TtlMs = 60_000 };
            put.Elements.AddRange(scores.Take(few).Select((score, index) => new SortedSetElement { Value = Text(index), Score = score }));
            put.Elements.Add(new SortedSetElement { Value = Text(-1), Score = -0.0 });
            await server.OkAsync<SortedSetPutResponse>(transport, put);
            Dictionary<string, long> expected = scores.Take(few).Index()
                .ToDictionary(each => $"{each.Index}", each => BitConverter.DoubleToInt64Bits(each.Item));
            expected["-1"] = 0;
            SortedSetFetchResponse all = await server.OkAsync<SortedSetFetchResponse>(
                transport,
                new SortedSetFetchRequest { Name = name, WithScores = true, ByIndex = new() });
            Assert.Equal(
                expected.OrderBy(each => each.Key, StringComparer.Ordinal),
                all.Found.WithScores.Elements.Select(each => KeyValuePair.Create(each.Value.ToStringUtf8(), BitConverter.DoubleToInt64Bits(each.Score)))
                    .OrderBy(each => each.Key, StringComparer.Ordinal));
            SortedSetGetScoreResponse got = await server.OkAsync<SortedSetGetScoreResponse>(
                transport,
                new SortedSetGetScoreRequest { Name = name, Values = { Enumerable.Range(0, few).Select(Text) } });
            Assert.Equal(scores.Take(few), got.Found.Parts.Select(part => part.Score));
            ByteString other = server.NewKey();
            foreach (double score in scores.Take(few).Append(-0.0))
            {
                SortedSetIncrementRequest increment = new() { Name = other, Value = Text(0), Amount = score, TtlMs = 60_000 };
                double sum = (await server.OkAsync<SortedSetIncrementResponse>(transport, increment)).Score;
                Assert.Equal(BitConverter.DoubleToInt64Bits(score + 0.0), BitConverter.DoubleToInt64Bits(sum));
                await server.OkAsync<SortedSetRemoveResponse>(transport, new SortedSetRemoveRequest { Name = other, All = new Empty() });
            }
        }
    }

    [Theory]
    [InlineData("007", 1, "8")]
    [InlineData("-0", 5, "5")]
    [InlineData("-007", 7, "0")]
    [InlineData("9007199254740993", 2, "9007199254740995")]
    [InlineData("9223372036854775806", 1, "9223372036854775807")]
    public async Task DictionaryIncrement_accepts_any_valid_integer_text(string text, long amount, string expected)
    {
        ByteString name = await DictionaryAsync(text);
        DictionaryIncrementRequest increment = new() { Name = name, Field = Text(1), Amount = amount, TtlMs = 60_000 };
        DictionaryIncrementResponse answer = await server.OkAsync<DictionaryIncrementResponse>(Transport.Pipeline, increment);
        Assert.Equal(expected, answer.Value.ToString(CultureInfo.InvariantCulture));
        Assert.Equal(expected, await FieldAsync(name));
    }

    [Theory]
    [InlineData("0009223372036854775807", 1)]
    [InlineData("007", long.MaxValue)]
    [InlineData("9223372036854775808", 0)]
    [InlineData("+5", 1)]
    [InlineData("", 1)]
    [InlineData("000000000000000000001", 1)]
    public async Task Failed_dictionary_increment_keeps_text_and_TTL(string text, long amount)
    {
        ByteString name = await DictionaryAsync(text);
        DictionaryIncrementRequest increment = new() { Name = name, Field = Text(1), Amount = amount, TtlMs = 3_600_000, RefreshTtl = true };
        Assert.Equal(StatusCode.FailedPrecondition, await server.CodeAsync(Transport.Pipeline, increment));
        Assert.Equal(text, await FieldAsync(name));
        Assert.InRange(await server.RemainingMsAsync(name), 1ul, 59_999ul);
    }

    [Fact]
    public async Task Pop_too_large_for_pipeline_keeps_set_and_TTL()
    {
        ByteString name = server.NewKey();
        SetUnionRequest union = new() { Name = name, TtlMs = 60_000 };
        union.Elements.AddRange(Enumerable.Range(0, 200).Select(number => ByteString.CopyFromUtf8(new string('x', 1_000) + number)));
        await server.OkAsync<SetUnionResponse>(Transport.Unary, union);
        SetPopRequest pop = new() { Name = name, Count = 200 };
        Assert.Equal(Result.OutcomeOneofCase.UseUnary, (await server.RunAsync(pop)).OutcomeCase);
        Assert.InRange(await server.RemainingMsAsync(name), 1ul, 59_999ul);
        SetPopResponse popped = await server.OkAsync<SetPopResponse>(Transport.Unary, pop);
        Assert.Equal(union.Elements.Select(each => each.ToStringUtf8()).Order(), popped.Found.Elements.Select(each => each.ToStringUtf8()).Order());
        Assert.False(await server.ExistsAsync(name));
    }

    [Fact]
    public async Task FLEET_13_call_over_element_limit_of_set_fails_and_changes_nothing()
    {
        ByteString name = server.NewKey();
        SetUnionRequest union = new() { Name = name, TtlMs = 60_000, Elements = { Enumerable.Range(0, 70_000).Select(Text) } };
        await server.OkAsync<SetUnionResponse>(Transport.Unary, union);
        CallFailure refused = await server.FailAsync(Transport.Unary, new SetPopRequest { Name = name, Count = 70_000 });
        Assert.Equal(StatusCode.ResourceExhausted, refused.Code);
        Assert.Contains("fewer elements with each SetPop", refused.Message, StringComparison.Ordinal);
        SetDifferenceRequest minuend = new() { Name = name, Minuend = new() { Elements_ = { union.Elements } } };
        refused = await server.FailAsync(Transport.Unary, minuend);
        Assert.Equal((StatusCode.ResourceExhausted, "request_size_limit_exceeded"), (refused.Code, refused.Cause));
        Assert.Equal(70_000u, (await server.OkAsync<SetLengthResponse>(Transport.Unary, new SetLengthRequest { Name = name })).Found.Length);
    }

    [Fact]
    public async Task FLEET_13_erase_inside_a_very_long_list_is_rejected()
    {
        ByteString name = server.NewKey();
        ListConcatenateBackRequest push = new() { Name = name, TtlMs = 60_000, Values = { Enumerable.Range(0, 400_000).Select(Text) } };
        await server.OkAsync<ListConcatenateBackResponse>(Transport.Unary, push);
        ListEraseRequest erase = new() { Name = name, Some = new() { Ranges = { new ListEraseRequest.Types.Range { Begin = 10, Count = 300_000 } } } };
        CallFailure refused = await server.FailAsync(Transport.Unary, erase);
        Assert.Equal(StatusCode.ResourceExhausted, refused.Code);
        Assert.Contains("ListErase", refused.Message, StringComparison.Ordinal);
        Assert.Equal(400_000u, (await server.OkAsync<ListLengthResponse>(Transport.Unary, new ListLengthRequest { Name = name })).Found.Length);
        erase.Some.Ranges[0].Begin = 0;
        erase.Some.Ranges.Add(new ListEraseRequest.Types.Range { Begin = 300_100, Count = 200_000 });
        Assert.Equal(100u, (await server.OkAsync<ListEraseResponse>(Transport.Unary, erase)).Found.Length);
        ListFetchResponse left = await server.OkAsync<ListFetchResponse>(Transport.Unary, new ListFetchRequest { Name = name });
        Assert.Equal(Enumerable.Range(300_000, 100).Select(Text), left.Found.Elements);
    }

    [Fact]
    public async Task S5e_out_of_memory_node_rejects_writes_and_still_serves_reads()
    {
        using RedisServer redis = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(redis.Url);
        ByteString name = Text(1);
        ListConcatenateBackRequest push = new() { Name = name, Values = { Text(1), Text(2) }, TtlMs = 60_000 };
        await gateway.CallAsync<ListConcatenateBackResponse>("/cache_client.Scs/ListConcatenateBack", push);
        redis.Ask("config", "set", "maxmemory-policy", "noeviction");
        redis.Ask("config", "set", "maxmemory", "1");
        DictionaryItem item = new() { Field = name, Value = name };
        (string Rpc, IMessage Request)[] writes =
        [
            ("ListConcatenateBack", push),
            ("ListPushFront", new ListPushFrontRequest { Name = name, Value = name, TtlMs = 60_000 }),
            ("DictionarySet", new DictionarySetRequest { Name = Text(2), Items = { item }, TtlMs = 60_000 }),
            ("DictionaryIncrement", new DictionaryIncrementRequest { Name = Text(2), Field = name, TtlMs = 60_000 }),
            ("SetUnion", new SetUnionRequest { Name = Text(3), Elements = { name }, TtlMs = 60_000 }),
            ("SortedSetPut", new SortedSetPutRequest { Name = Text(4), Elements = { new SortedSetElement { Value = name } }, TtlMs = 60_000 }),
            ("SortedSetIncrement", new SortedSetIncrementRequest { Name = Text(4), Value = name, Amount = 1, TtlMs = 60_000 }),
        ];
        foreach ((string rpc, IMessage request) in writes)
        {
            Assert.Equal(StatusCode.ResourceExhausted, (await gateway.FailAsync(rpc, request)).Status.Code);
        }

        Assert.Equal("1", redis.Ask("eval", "return #redis.call('keys', 'L*.*:*')", "0"));
        ListPopBackResponse popped = await gateway.CallAsync<ListPopBackResponse>("/cache_client.Scs/ListPopBack", new ListPopBackRequest { Name = name });
        Assert.Equal((Text(2), 1u), (popped.Found.Value, popped.Found.Length));
    }

    [Fact]
    public async Task FLEET_12_pop_with_lost_reply_is_executed_once()
    {
        using RedisServer redis = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(redis.Url);
        ListConcatenateBackRequest push = new() { Name = Text(1), Values = { Text(1), Text(2) }, TtlMs = 60_000 };
        await gateway.CallAsync<ListConcatenateBackResponse>("/cache_client.Scs/ListConcatenateBack", push);
        redis.Pause();
        Task<RpcException> lost = gateway.FailAsync("ListPopFront", new ListPopFrontRequest { Name = Text(1) });
        // If a node sends nothing for a second, the gateway closes the connection. After the node has resumed, it still executes the commands that it had
        // received.
        RpcException error = await lost;
        redis.Resume();
        Assert.Equal(StatusCode.Unavailable, error.Status.Code);
        Assert.DoesNotContain(error.Trailers, trailer => trailer.Key == "err");
        Eventually.Until(
            () => redis.Ask("eval", "return redis.call('llen', redis.call('keys', 'L*.*:1')[1])", "0") == "1",
            "it has popped, once");
        await RunningGateway.WaitUntilReadyAsync(gateway);
        ListFetchRequest fetch = new() { Name = Text(1) };
        Assert.Equal([Text(2)], (await gateway.CallAsync<ListFetchResponse>("/cache_client.Scs/ListFetch", fetch)).Found.Elements);
    }

    [Fact]
    public async Task SCAN_returns_collections_with_their_types()
    {
        string mark = $"scan-{server.NewKey().ToStringUtf8()}-";
        ByteString Name(string type) => ByteString.CopyFromUtf8(mark + type);
        await server.OkAsync<SetUnionResponse>(Transport.Unary, new SetUnionRequest { Name = Name("set"), Elements = { Text(1) }, TtlMs = 60_000 });
        await server.OkAsync<ListPushBackResponse>(Transport.Unary, new ListPushBackRequest { Name = Name("list"), Value = Text(1), TtlMs = 60_000 });
        ScanKeysRequest ask = new() { Prefix = ByteString.CopyFromUtf8(mark), Count = 100 };
        List<ScannedKey> keys = [];
        do
        {
            ScanKeysResponse page = await server.Server.CallAsync<ScanKeysResponse>("/larder.v1.Extras/ScanKeys", ask);
            keys.AddRange(page.Keys);
            ask.Cursor = page.Cursor;
        }
        while (!ask.Cursor.IsEmpty);
        Assert.Equal(
            [(Name("list"), KeyType.List), (Name("set"), KeyType.Set)],
            keys.Select(key => (key.Key, key.Type)).OrderBy(each => each.Type == KeyType.Set));
    }

    private static ByteString Text(int number) => CollectionServer.Bytes(number.ToString(CultureInfo.InvariantCulture));

    private async Task<ByteString> DictionaryAsync(string value)
    {
        ByteString name = server.NewKey();
        DictionaryItem item = new() { Field = Text(1), Value = CollectionServer.Bytes(value) };
        await server.OkAsync<DictionarySetResponse>(Transport.Pipeline, new DictionarySetRequest { Name = name, Items = { item }, TtlMs = 60_000 });
        return name;
    }

    private async Task<string> FieldAsync(ByteString name)
    {
        DictionaryGetRequest get = new() { Name = name, Fields = { Text(1) } };
        return (await server.OkAsync<DictionaryGetResponse>(Transport.Pipeline, get)).Found.Parts[0].Value.ToStringUtf8();
    }
}
