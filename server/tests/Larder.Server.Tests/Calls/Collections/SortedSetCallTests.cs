using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>Tests of sorted-set calls. One derived class runs the tests on the in-memory store, and another one on a gateway.</summary>
public abstract class SortedSetCallTests(CollectionServer server)
{
    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_1_put_keeps_last_score_and_orders_ties_by_bytes(Transport transport)
    {
        ByteString name = await MadeAsync(transport, ("b", 1), ("a", 1), ("c", -1), ("", 1), ("d", 9), ("d", 0));
        await server.OkAsync<SortedSetPutResponse>(transport, Put(name, ("c", 5)));
        Assert.Equal([("d", 0), ("", 1), ("a", 1), ("b", 1), ("c", 5)], await ScoredAsync(transport, All(name)));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_2_infinite_scores_are_accepted_and_NaN_is_rejected(Transport transport)
    {
        ByteString name = await MadeAsync(transport, ("most", double.PositiveInfinity), ("least", double.NegativeInfinity));
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, Put(name, ("a", 1), ("b", double.NaN))));
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, Increment(name, "a", double.NaN)));
        SortedSetLengthByScoreRequest between = new() { Name = name, InclusiveMin = double.NaN };
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, between));
        SortedSetFetchRequest fetch = new() { Name = name, ByScore = new() { MaxScore = new() { Score = double.NaN } } };
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, fetch));
        Assert.Equal([("least", double.NegativeInfinity), ("most", double.PositiveInfinity)], await ScoredAsync(transport, All(name)));
    }

    [Theory]
    [InlineData(null, null, "abcde", "edcba")]
    [InlineData(1, 3, "bc", "dc")]
    [InlineData(0, -1, "abcd", "edcb")]
    [InlineData(-2, null, "de", "ba")]
    [InlineData(-9, 1, "a", "e")]
    public async Task ZSET_3_fetch_by_index_counts_in_requested_order(int? start, int? end, string ascending, string descending)
    {
        foreach (Transport transport in Enum.GetValues<Transport>())
        {
            ByteString name = await LettersAsync(transport);
            SortedSetFetchRequest request = new() { Name = name, ByIndex = new SortedSetFetchRequest.Types.ByIndex() };
            if (start is { } first)
            {
                request.ByIndex.InclusiveStart = first;
            }

            if (end is { } last)
            {
                request.ByIndex.ExclusiveEnd = last;
            }

            Assert.Equal(ascending, await ValuesAsync(transport, request));
            request.Order = SortedSetOrder.Descending;
            Assert.Equal(descending, await ValuesAsync(transport, request));
        }
    }

    [Theory]
    [InlineData(2.0, false, 4.0, false, 0u, -1, "bcd", "dcb")]
    [InlineData(2.0, true, 4.0, true, 0u, -1, "c", "c")]
    [InlineData(null, false, 4.0, true, 1u, 1, "b", "b")]
    [InlineData(2.0, true, null, false, 1u, 9, "de", "dc")]
    [InlineData(null, false, null, false, 1u, 2, "bc", "dc")]
    [InlineData(1.0, false, 5.0, false, 0u, 0, "", "")]
    public async Task ZSET_4_fetch_by_score_honours_bounds_offset_count_and_order(
        double? min,
        bool excludesMin,
        double? max,
        bool excludesMax,
        uint offset,
        int count,
        string ascending,
        string descending)
    {
        foreach (Transport transport in Enum.GetValues<Transport>())
        {
            ByteString name = await LettersAsync(transport);
            SortedSetFetchRequest request = new() { Name = name, ByScore = new() { Offset = offset, Count = count } };
            if (min is { } from)
            {
                request.ByScore.MinScore = new() { Score = from, Exclusive = excludesMin };
            }

            if (max is { } to)
            {
                request.ByScore.MaxScore = new() { Score = to, Exclusive = excludesMax };
            }

            Assert.Equal(ascending, await ValuesAsync(transport, request));
            request.Order = SortedSetOrder.Descending;
            Assert.Equal(descending, await ValuesAsync(transport, request));
        }
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_5_range_outside_the_set_returns_an_empty_found_result(Transport transport)
    {
        ByteString name = await LettersAsync(transport);
        SortedSetFetchRequest request = new() { Name = name, ByIndex = new() { InclusiveStart = 7 } };
        SortedSetFetchResponse values = await server.OkAsync<SortedSetFetchResponse>(transport, request);
        Assert.Empty(values.Found.Values.Values_);
        request.WithScores = true;
        SortedSetFetchResponse scored = await server.OkAsync<SortedSetFetchResponse>(transport, request);
        Assert.Equal(SortedSetFetchResponse.Types.Found.ElementsOneofCase.WithScores, scored.Found.ElementsCase);
        Assert.Empty(scored.Found.WithScores.Elements);
        request = new() { Name = name, ByScore = new() { MinScore = new() { Score = 99 }, Count = -1 } };
        Assert.Equal("", await ValuesAsync(transport, request));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_6_get_score_returns_results_in_request_order(Transport transport)
    {
        ByteString name = await MadeAsync(transport, ("zero", 0), ("minus zero", -0.0), ("half", 0.5));
        SortedSetGetScoreResponse scores = await ScoresAsync(transport, name, "half", "none", "zero", "minus zero", "half");
        Assert.Equal(
            [CacheResult.Hit, CacheResult.Miss, CacheResult.Hit, CacheResult.Hit, CacheResult.Hit],
            scores.Found.Parts.Select(part => part.Result));
        Assert.Equal([0.5, 0, 0, 0, 0.5], scores.Found.Parts.Select(part => part.Score));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_7_rank_counts_from_zero_in_requested_order(Transport transport)
    {
        ByteString name = await LettersAsync(transport);
        Assert.Equal((CacheResult.Hit, 0ul), await RankAsync(transport, name, "a", SortedSetOrder.Ascending));
        Assert.Equal((CacheResult.Hit, 4ul), await RankAsync(transport, name, "a", SortedSetOrder.Descending));
        Assert.Equal((CacheResult.Hit, 2ul), await RankAsync(transport, name, "c", SortedSetOrder.Ascending));
        Assert.Equal((CacheResult.Miss, 0ul), await RankAsync(transport, name, "none", SortedSetOrder.Ascending));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_8_increment_creates_element_and_rejects_NaN_result(Transport transport)
    {
        ByteString name = server.NewKey();
        Assert.Equal(1.5, await IncrementAsync(transport, name, "a", 1.5));
        Assert.Equal(0, await IncrementAsync(transport, name, "a", -1.5));
        Assert.Equal(double.PositiveInfinity, await IncrementAsync(transport, name, "a", double.PositiveInfinity));
        SortedSetIncrementRequest opposite = Increment(name, "a", double.NegativeInfinity);
        opposite.RefreshTtl = true;
        opposite.TtlMs = 3_000_000;
        Assert.Equal(StatusCode.FailedPrecondition, await server.CodeAsync(transport, opposite));
        Assert.Equal([("a", double.PositiveInfinity)], await ScoredAsync(transport, All(name)));
        Assert.True(await server.RemainingMsAsync(name) < 600_000);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_9_remove_deletes_selected_or_all_elements_and_requires_a_selection(Transport transport)
    {
        ByteString name = await LettersAsync(transport);
        SortedSetRemoveRequest some = new() { Name = name, Some = new() { Values = { Many("a", "none", "e") } } };
        await server.OkAsync<SortedSetRemoveResponse>(transport, some);
        Assert.Equal("bcd", await ValuesAsync(transport, new() { Name = name, ByIndex = new() }));
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new SortedSetRemoveRequest { Name = name }));
        some.Some.Values.Add(Many("b", "c", "d"));
        await server.OkAsync<SortedSetRemoveResponse>(transport, some);
        Assert.False(await server.ExistsAsync(name));
        name = await LettersAsync(transport);
        await server.OkAsync<SortedSetRemoveResponse>(transport, new SortedSetRemoveRequest { Name = name, All = new Empty() });
        Assert.False(await server.ExistsAsync(name));
        await server.OkAsync<SortedSetRemoveResponse>(transport, new SortedSetRemoveRequest { Name = name, All = new Empty() });
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_10_length_counts_all_elements_or_those_in_score_range(Transport transport)
    {
        ByteString name = await LettersAsync(transport);
        Assert.Equal(5u, (await server.OkAsync<SortedSetLengthResponse>(transport, new SortedSetLengthRequest { Name = name })).Found.Length);
        Assert.Equal(5u, await BetweenAsync(transport, new() { Name = name }));
        Assert.Equal(5u, await BetweenAsync(transport, new() { Name = name, UnboundedMin = new Empty(), UnboundedMax = new Empty() }));
        Assert.Equal(3u, await BetweenAsync(transport, new() { Name = name, InclusiveMin = 2, InclusiveMax = 4 }));
        Assert.Equal(1u, await BetweenAsync(transport, new() { Name = name, ExclusiveMin = 2, ExclusiveMax = 4 }));
        Assert.Equal(0u, await BetweenAsync(transport, new() { Name = name, ExclusiveMin = 5 }));
        Assert.Equal(5u, await BetweenAsync(transport, new() { Name = name, InclusiveMin = 0 }));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_11_union_replaces_destination_with_weighted_scores(Transport transport)
    {
        ByteString one = await MadeAsync(transport, ("a", 1), ("b", 2));
        ByteString two = await MadeAsync(transport, ("b", 10), ("c", 20));
        ByteString into = await MadeAsync(transport, ("old", 1));
        SortedSetUnionStoreRequest union = new() { Name = into, TtlMs = 60_000, Sources = { Source(one, 2), Source(two, 0.5f), Source(server.NewKey(), 1) } };
        Assert.Equal(3u, await UnionAsync(transport, union));
        Assert.Equal([("a", 2), ("b", 9), ("c", 10)], await ScoredAsync(transport, All(into)));
        union.Aggregate = SortedSetUnionStoreRequest.Types.Aggregate.Min;
        Assert.Equal(3u, await UnionAsync(transport, union));
        Assert.Equal([("a", 2), ("b", 4), ("c", 10)], await ScoredAsync(transport, All(into)));
        union.Aggregate = SortedSetUnionStoreRequest.Types.Aggregate.Max;
        union.Sources.Add(Source(into, 100));
        Assert.Equal(3u, await UnionAsync(transport, union));
        Assert.Equal([("a", 200), ("b", 400), ("c", 1_000)], await ScoredAsync(transport, All(into)));

        Assert.Equal(0u, await UnionAsync(transport, new() { Name = into, TtlMs = 60_000, Sources = { Source(server.NewKey(), 1) } }));
        Assert.False(await server.ExistsAsync(into));
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new SortedSetUnionStoreRequest { Name = into, TtlMs = 60_000 }));
        union = new() { Name = into, TtlMs = 60_000, Sources = { Source(one, float.NaN) } };
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, union));
        union = new() { Name = into, TtlMs = 60_000, Sources = { Source(ByteString.Empty, 1) } };
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, union));
        union = new() { Name = into, TtlMs = 60_000, Sources = { Source(one, 1) }, Aggregate = (SortedSetUnionStoreRequest.Types.Aggregate)3 };
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, union));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_12_fetch_without_range_or_with_unknown_order_is_rejected(Transport transport)
    {
        ByteString name = await LettersAsync(transport);
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, new SortedSetFetchRequest { Name = name }));
        SortedSetFetchRequest fetch = All(name);
        fetch.Order = (SortedSetOrder)2;
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, fetch));
        SortedSetGetRankRequest rank = new() { Name = name, Value = CollectionServer.Bytes("a"), Order = (SortedSetOrder)2 };
        Assert.Equal(StatusCode.InvalidArgument, await server.CodeAsync(transport, rank));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_13_calls_on_unknown_sorted_set_return_missing(Transport transport)
    {
        ByteString name = server.NewKey();
        Assert.NotNull((await server.OkAsync<SortedSetFetchResponse>(transport, All(name))).Missing);
        Assert.NotNull((await ScoresAsync(transport, name, "a")).Missing);
        SortedSetGetRankRequest rank = new() { Name = name, Value = CollectionServer.Bytes("a") };
        Assert.NotNull((await server.OkAsync<SortedSetGetRankResponse>(transport, rank)).Missing);
        Assert.NotNull((await server.OkAsync<SortedSetLengthResponse>(transport, new SortedSetLengthRequest { Name = name })).Missing);
        Assert.NotNull((await server.OkAsync<SortedSetLengthByScoreResponse>(transport, new SortedSetLengthByScoreRequest { Name = name })).Missing);
    }

    private static IEnumerable<ByteString> Many(params string[] values) => values.Select(CollectionServer.Bytes);

    private static SortedSetPutRequest Put(ByteString name, params (string Value, double Score)[] elements)
    {
        SortedSetPutRequest request = new() { Name = name, TtlMs = 60_000 };
        request.Elements.AddRange(elements.Select(each => new SortedSetElement { Value = CollectionServer.Bytes(each.Value), Score = each.Score }));
        return request;
    }

    private static SortedSetIncrementRequest Increment(ByteString name, string value, double amount) =>
        new() { Name = name, Value = CollectionServer.Bytes(value), Amount = amount, TtlMs = 60_000 };

    private static SortedSetFetchRequest All(ByteString name) => new() { Name = name, WithScores = true, ByIndex = new() };

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task ZSET_14_union_of_too_many_elements_fails_and_changes_nothing(Transport transport)
    {
        ByteString source = await MadeAsync(transport, [.. Enumerable.Range(0, 1_024).Select(i => ($"{i}", (double)i))]);
        ByteString into = await MadeAsync(transport, ("kept", 1));
        SortedSetUnionStoreRequest union = new() { Name = into, TtlMs = 60_000 };
        union.Sources.AddRange(Enumerable.Repeat(Source(source, 1), 1_025));
        Assert.Equal(StatusCode.ResourceExhausted, await server.CodeAsync(transport, union));
        Assert.Equal([("kept", 1)], await ScoredAsync(transport, All(into)));
        union.Sources.AddRange(Enumerable.Repeat(Source(source, 1), 9_225));
        Assert.Equal(StatusCode.ResourceExhausted, await server.CodeAsync(transport, union));
        Assert.Equal([("kept", 1)], await ScoredAsync(transport, All(into)));
    }

    private static SortedSetUnionStoreRequest.Types.Source Source(ByteString name, float weight) => new() { Name = name, Weight = weight };

    private Task<ByteString> LettersAsync(Transport transport) => MadeAsync(transport, ("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5));

    private async Task<ByteString> MadeAsync(Transport transport, params (string Value, double Score)[] elements)
    {
        ByteString name = server.NewKey();
        await server.OkAsync<SortedSetPutResponse>(transport, Put(name, elements));
        return name;
    }

    private async Task<IEnumerable<(string Value, double Score)>> ScoredAsync(Transport transport, SortedSetFetchRequest request) =>
        (await server.OkAsync<SortedSetFetchResponse>(transport, request)).Found.WithScores.Elements.Select(each => (each.Value.ToStringUtf8(), each.Score));

    private async Task<string> ValuesAsync(Transport transport, SortedSetFetchRequest request) =>
        string.Concat((await server.OkAsync<SortedSetFetchResponse>(transport, request)).Found.Values.Values_.Select(each => each.ToStringUtf8()));

    private Task<SortedSetGetScoreResponse> ScoresAsync(Transport transport, ByteString name, params string[] values) =>
        server.OkAsync<SortedSetGetScoreResponse>(transport, new SortedSetGetScoreRequest { Name = name, Values = { Many(values) } });

    private async Task<(CacheResult, ulong)> RankAsync(Transport transport, ByteString name, string value, SortedSetOrder order)
    {
        SortedSetGetRankRequest request = new() { Name = name, Value = CollectionServer.Bytes(value), Order = order };
        SortedSetGetRankResponse.Types.Part part = (await server.OkAsync<SortedSetGetRankResponse>(transport, request)).Part;
        return (part.Result, part.Rank);
    }

    private async Task<double> IncrementAsync(Transport transport, ByteString name, string value, double amount) =>
        (await server.OkAsync<SortedSetIncrementResponse>(transport, Increment(name, value, amount))).Score;

    private async Task<uint> BetweenAsync(Transport transport, SortedSetLengthByScoreRequest request) =>
        (await server.OkAsync<SortedSetLengthByScoreResponse>(transport, request)).Found.Length;

    private async Task<uint> UnionAsync(Transport transport, SortedSetUnionStoreRequest request) =>
        (await server.OkAsync<SortedSetUnionStoreResponse>(transport, request)).Length;
}
