using Larder.Client.Tests.Support;

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
        Expect.Success(
            await cache.SortedSetPutAsync("z", [new("c", 3), new("a", 1), new("b", 2), new("low", double.NegativeInfinity)]));
        Assert.Equal([("low", double.NegativeInfinity), ("a", 1), ("b", 2), ("c", 3)], await ByRank());
        Assert.Equal([("c", 3), ("b", 2)], await ByRank(SortedSetOrder.Descending, 0, 2));
        Assert.Equal([("b", 2)], await ByRank(start: -2, end: -1));
        Assert.Empty(await ByRank(start: 4));
        Assert.Equal([("a", 1), ("b", 2)], await ByScore(min: 1, max: 2));
        Assert.Equal([("b", 2)], await ByScore(min: ScoreBound.Exclusive(1), max: ScoreBound.Exclusive(3)));
        Assert.Equal([("b", 2), ("a", 1)], await ByScore(SortedSetOrder.Descending, min: 1, offset: 1, count: 5));
        Assert.Equal(4, Expect.Hit(await cache.SortedSetLengthAsync("z")));
        Assert.Equal(3, Expect.Hit(await cache.SortedSetLengthByScoreAsync("z", min: 1)));
        Assert.Equal(
            1,
            Expect.Hit(
                await cache.SortedSetLengthByScoreAsync("z", ScoreBound.Exclusive(1), ScoreBound.Exclusive(3))));
        Expect.Success(await cache.SortedSetRemoveAsync("z", ["a", "b", "low", "none"]));
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
        Assert.Equal(1, Expect.Success(await cache.SortedSetIncrementAsync("z", "a")));
        Assert.Equal(-0.5, Expect.Success(await cache.SortedSetIncrementAsync("z", "b", -0.5)));
        Assert.Equal([1, null, -0.5], Expect.Hit(await cache.SortedSetGetScoreAsync("z", ["a", "none", "b"])));
        Assert.Equal(1, Expect.Hit(await cache.SortedSetGetRankAsync("z", "a")));
        Assert.Equal(0, Expect.Hit(await cache.SortedSetGetRankAsync("z", "a", SortedSetOrder.Descending)));
        Expect.Miss(await cache.SortedSetGetRankAsync("z", "none"));
        Expect.Miss(await cache.SortedSetGetRankAsync("none", "a"));
        Expect.Miss(await cache.SortedSetGetScoreAsync("none", ["a"]));
        Expect.Miss(await cache.SortedSetFetchByRankAsync("none"));
        await cache.SortedSetPutElementAsync("z", "inf", double.PositiveInfinity);
        Assert.Equal(
            CacheErrorCode.FailedPrecondition,
            Expect.Error(await cache.SortedSetIncrementAsync("z", "inf", double.NegativeInfinity)).Code);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Sorted_set_puts_finds_and_removes_a_single_element(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Expect.Miss(await cache.SortedSetGetElementScoreAsync("z", "a"));
        Expect.Success(await cache.SortedSetPutElementAsync("z", "a", 1.5));
        Expect.Success(await cache.SortedSetPutElementsAsync("z", [new("b", 2), new("c", 3)]));
        Assert.Equal("Hit (1.5)", $"{await cache.SortedSetGetElementScoreAsync("z", "a")}");
        Expect.Miss(await cache.SortedSetGetElementScoreAsync("z", "none"));
        await cache.SortedSetRemoveElementAsync("z", "a");
        await cache.SortedSetRemoveElementsAsync("z", ["b"]);
        Assert.Equal([("c", 3)], ElementsOf(await cache.SortedSetFetchByScoreAsync("z")));
        await cache.SetAsync("scalar", "v");
        Assert.Equal(
            CacheErrorCode.FailedPrecondition,
            Expect.Error(await cache.SortedSetGetElementScoreAsync("scalar", "a")).Code);
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
        Expect.Miss(await cache.SortedSetFetchByRankAsync("{u}z"));
        Assert.Equal(
            CacheErrorCode.InvalidArgument,
            Expect.Error(await cache.SortedSetUnionStoreAsync("{u}z", [])).Code);
        Assert.Equal(
            CacheErrorCode.InvalidArgument,
            Expect.Error(await cache.SortedSetUnionStoreAsync("{u}z", [new("{u}x")], (SortedSetAggregate)(-1))).Code);

        async Task<int> Union(SortedSetAggregate aggregate, params SortedSetSource[] sources) =>
            Expect.Success(await cache.SortedSetUnionStoreAsync("{u}z", sources, aggregate));
    }

    [Fact]
    public async Task Sorted_set_fetch_with_unknown_order_is_rejected()
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(Transport.Pipeline);
        await fixture.Cache.SortedSetPutElementAsync("z", "a", 1);
        foreach (SortedSetOrder order in (SortedSetOrder[])[(SortedSetOrder)2, (SortedSetOrder)(-1)])
        {
            LookupResult<IReadOnlyList<ScoredElement>> answer = await fixture.Cache.SortedSetFetchByRankAsync("z", order);
            Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(answer).Code);
        }
    }

    private static IEnumerable<(string, double)> ElementsOf(LookupResult<IReadOnlyList<ScoredElement>> response) =>
        Expect.Hit(response).Select(static element => (element.Value.Text, element.Score));
}
