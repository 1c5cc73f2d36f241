namespace Larder.Client.Tests.Collections;

public sealed class SortedSetTests
{
    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Sorted_set_fetches_elements_in_score_order(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Assert.IsType<SortedSetPutResponse.Success>(
            await cache.SortedSetPutAsync("z", [new("c", 3), new("a", 1), new("b", 2), new("low", double.NegativeInfinity)]));
        Assert.Equal([("low", double.NegativeInfinity), ("a", 1), ("b", 2), ("c", 3)], await ByRank());
        Assert.Equal([("c", 3), ("b", 2)], await ByRank(SortedSetOrder.Descending, 0, 2));
        Assert.Equal([("b", 2)], await ByRank(start: -2, end: -1));
        Assert.Empty(await ByRank(start: 4));
        Assert.Equal([("a", 1), ("b", 2)], await ByScore(min: 1, max: 2));
        Assert.Equal([("b", 2)], await ByScore(min: ScoreBound.Exclusive(1), max: ScoreBound.Exclusive(3)));
        Assert.Equal([("b", 2), ("a", 1)], await ByScore(SortedSetOrder.Descending, min: 1, offset: 1, count: 5));
        Assert.Equal(4, Assert.IsType<SortedSetLengthResponse.Hit>(await cache.SortedSetLengthAsync("z")).Length);
        Assert.Equal(3, Assert.IsType<SortedSetLengthByScoreResponse.Hit>(await cache.SortedSetLengthByScoreAsync("z", min: 1)).Length);
        Assert.Equal(
            1,
            Assert.IsType<SortedSetLengthByScoreResponse.Hit>(
                await cache.SortedSetLengthByScoreAsync("z", ScoreBound.Exclusive(1), ScoreBound.Exclusive(3))).Length);
        Assert.IsType<SortedSetRemoveResponse.Success>(await cache.SortedSetRemoveAsync("z", ["a", "b", "low", "none"]));
        Assert.Equal([("c", 3)], await ByRank());

        async Task<IEnumerable<(string, double)>> ByRank(SortedSetOrder order = SortedSetOrder.Ascending, int? start = null, int? end = null) =>
            ElementsOf(await cache.SortedSetFetchByRankAsync("z", order, start, end));

        async Task<IEnumerable<(string, double)>> ByScore(
            SortedSetOrder order = SortedSetOrder.Ascending, ScoreBound? min = null, ScoreBound? max = null, int offset = 0, int count = -1) =>
            ElementsOf(await cache.SortedSetFetchByScoreAsync("z", order, min, max, offset, count));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Sorted_set_returns_and_increments_scores_and_ranks(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Assert.Equal(1, Assert.IsType<SortedSetIncrementResponse.Success>(await cache.SortedSetIncrementAsync("z", "a")).Score);
        Assert.Equal(-0.5, Assert.IsType<SortedSetIncrementResponse.Success>(await cache.SortedSetIncrementAsync("z", "b", -0.5)).Score);
        Assert.Equal([1, null, -0.5], Assert.IsType<SortedSetGetScoreResponse.Hit>(await cache.SortedSetGetScoreAsync("z", ["a", "none", "b"])).Scores);
        Assert.Equal(1, Assert.IsType<SortedSetGetRankResponse.Hit>(await cache.SortedSetGetRankAsync("z", "a")).Rank);
        Assert.Equal(0, Assert.IsType<SortedSetGetRankResponse.Hit>(await cache.SortedSetGetRankAsync("z", "a", SortedSetOrder.Descending)).Rank);
        Assert.IsType<SortedSetGetRankResponse.Miss>(await cache.SortedSetGetRankAsync("z", "none"));
        Assert.IsType<SortedSetGetRankResponse.Miss>(await cache.SortedSetGetRankAsync("none", "a"));
        Assert.IsType<SortedSetGetScoreResponse.Miss>(await cache.SortedSetGetScoreAsync("none", ["a"]));
        Assert.IsType<SortedSetFetchResponse.Miss>(await cache.SortedSetFetchByRankAsync("none"));
        await cache.SortedSetPutElementAsync("z", "inf", double.PositiveInfinity);
        Assert.Equal(
            CacheErrorCode.FailedPrecondition,
            Assert.IsType<SortedSetIncrementResponse.Error>(await cache.SortedSetIncrementAsync("z", "inf", double.NegativeInfinity)).Code);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Sorted_set_puts_finds_and_removes_a_single_element(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Assert.IsType<SortedSetGetElementScoreResponse.Miss>(await cache.SortedSetGetElementScoreAsync("z", "a"));
        Assert.IsType<SortedSetPutResponse.Success>(await cache.SortedSetPutElementAsync("z", "a", 1.5));
        Assert.IsType<SortedSetPutResponse.Success>(await cache.SortedSetPutElementsAsync("z", [new("b", 2), new("c", 3)]));
        Assert.Equal("Hit (1.5)", $"{await cache.SortedSetGetElementScoreAsync("z", "a")}");
        Assert.IsType<SortedSetGetElementScoreResponse.Miss>(await cache.SortedSetGetElementScoreAsync("z", "none"));
        await cache.SortedSetRemoveElementAsync("z", "a");
        await cache.SortedSetRemoveElementsAsync("z", ["b"]);
        Assert.Equal([("c", 3)], ElementsOf(await cache.SortedSetFetchByScoreAsync("z")));
        await cache.SetAsync("scalar", "v");
        Assert.Equal(
            CacheErrorCode.FailedPrecondition,
            Assert.IsType<SortedSetGetElementScoreResponse.Error>(await cache.SortedSetGetElementScoreAsync("scalar", "a")).Code);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Sorted_set_union_applies_source_weights(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        await cache.SortedSetPutAsync("{u}x", [new("a", 1), new("b", 2)]);
        await cache.SortedSetPutAsync("{u}y", [new("b", 10)]);
        Assert.Equal(2, await Union(SortedSetAggregate.Sum, new("{u}x", 2), new("{u}y", 0.5f)));
        Assert.Equal([("a", 2), ("b", 9)], ElementsOf(await cache.SortedSetFetchByRankAsync("{u}z")));
        Assert.Equal(2, await Union(SortedSetAggregate.Max, new("{u}x"), new("{u}y"), new("{u}none")));
        Assert.Equal([("a", 1), ("b", 10)], ElementsOf(await cache.SortedSetFetchByRankAsync("{u}z")));
        Assert.Equal(0, await Union(SortedSetAggregate.Min, new SortedSetSource("{u}none")));
        Assert.IsType<SortedSetFetchResponse.Miss>(await cache.SortedSetFetchByRankAsync("{u}z"));
        Assert.Equal(
            CacheErrorCode.InvalidArgument,
            Assert.IsType<SortedSetUnionStoreResponse.Error>(await cache.SortedSetUnionStoreAsync("{u}z", [])).Code);
        Assert.Equal(
            CacheErrorCode.InvalidArgument,
            Assert.IsType<SortedSetUnionStoreResponse.Error>(await cache.SortedSetUnionStoreAsync("{u}z", [new("{u}x")], (SortedSetAggregate)(-1))).Code);

        async Task<int> Union(SortedSetAggregate aggregate, params SortedSetSource[] sources) =>
            Assert.IsType<SortedSetUnionStoreResponse.Success>(await cache.SortedSetUnionStoreAsync("{u}z", sources, aggregate)).Length;
    }

    [Fact]
    public async Task Sorted_set_fetch_with_unknown_order_is_rejected()
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(Transport.Pipeline);
        await fixture.Cache.SortedSetPutElementAsync("z", "a", 1);
        foreach (SortedSetOrder order in (SortedSetOrder[])[(SortedSetOrder)2, (SortedSetOrder)(-1)])
        {
            SortedSetFetchResponse answer = await fixture.Cache.SortedSetFetchByRankAsync("z", order);
            Assert.Equal(CacheErrorCode.InvalidArgument, Assert.IsType<SortedSetFetchResponse.Error>(answer).Code);
        }
    }

    private static IEnumerable<(string, double)> ElementsOf(SortedSetFetchResponse response) =>
        Assert.IsType<SortedSetFetchResponse.Hit>(response).Elements.Select(static element => (element.ValueString, element.Score));
}
