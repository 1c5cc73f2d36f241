using System.Collections;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Collections;

/// <summary>Tests that invalid arguments of collection calls fail immediately, and that nothing is sent.</summary>
public sealed class CollectionArgumentsTests
{
    [Fact]
    public async Task Invalid_collection_arguments_are_rejected_before_sending()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        Cache cache = test.Cache;
        foreach (CacheBytes bad in (CacheBytes[])[default, "", "\ud800", Array.Empty<byte>()])
        {
            Refused(await cache.DictionaryFetchAsync(bad));
            Refused(await cache.SetUnionAsync(bad, ["a"]));
            Refused(await cache.ListPushBackAsync(bad, "a"));
            Refused(await cache.SortedSetFetchByScoreAsync(bad));
            Refused(await cache.DictionaryGetAsync("k", ["a", bad]));
            Refused(await cache.DictionarySetAsync("k", [new("a", "1"), new(bad, "1")]));
            Refused(await cache.DictionaryRemoveAsync("k", [bad]));
            Refused(await cache.DictionaryIncrementAsync("k", bad));
            Refused(await cache.SortedSetUnionStoreAsync("k", [new(bad)]));
        }

        foreach (CacheBytes bad in (CacheBytes[])[default, "\udc00"])
        {
            Refused(await cache.DictionarySetFieldAsync("k", "f", bad));
            Refused(await cache.SetContainsAsync("k", [bad]));
            Refused(await cache.SetDifferenceFromAsync("k", ["a", bad]));
            Refused(await cache.ListPushFrontAsync("k", bad));
            Refused(await cache.ListConcatenateFrontAsync("k", [bad]));
            Refused(await cache.ListRemoveAsync("k", bad));
            Refused(await cache.SortedSetPutElementAsync("k", bad, 1));
            Refused(await cache.SortedSetGetRankAsync("k", bad));
        }

        Refused(await cache.SortedSetPutElementAsync("k", "a", double.NaN));
        Refused(await cache.SortedSetIncrementAsync("k", "a", double.NaN));
        Refused(await cache.SortedSetUnionStoreAsync("k", [new("z", float.NaN)]));
        Refused(await cache.SortedSetFetchByScoreAsync("k", min: double.NaN));
        Refused(await cache.SortedSetLengthByScoreAsync("k", max: ScoreBound.Exclusive(double.NaN)));
        Refused(await cache.SortedSetFetchByScoreAsync("k", offset: -1));
        Refused(await cache.SetSampleAsync("k", -1));
        Refused(await cache.SetPopAsync("k", int.MinValue));
        Refused(await cache.ListPushBackAsync("k", "a", truncateFrontToSize: -1));
        Refused(await cache.ListEraseAsync("k", [new(-1, 1)]));
        Refused(await cache.ListEraseAsync("k", [new(0, -1)]));
        foreach (TimeSpan bad in (TimeSpan[])[TimeSpan.Zero, TimeSpan.MinValue, TimeSpan.MaxValue, TimeSpan.FromDays(366)])
        {
            Refused(await cache.DictionarySetFieldAsync("k", "f", "v", bad));
            Refused(await cache.SetAddElementAsync("k", "e", CollectionTtl.Of(bad).WithNoRefreshTtlOnUpdates()));
            Refused(await cache.ListRetainAsync("k", ttl: bad));
            Refused(await cache.SortedSetUnionStoreAsync("k", [new("z")], ttl: bad));
        }

        Refused(await test.Client.Cache("").DictionaryFetchAsync("k"));
        Refused(await test.Client.Cache(" ").SortedSetPutAsync("k", []));
        Assert.Equal((0, 0, 0), (test.Transport.Count, test.Client.InFlight, test.Client.Queued));
    }

    [Fact]
    public async Task LIM_2_oversized_request_fails_with_LimitExceeded_and_is_not_sent()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        Cache cache = test.Cache;
        CacheBytes large = new byte[5_600_000];
        TooLarge(await cache.SetUnionAsync("k", [large, large]));
        TooLarge(await cache.DictionarySetAsync("k", [new("a", large), new("b", large)]));
        TooLarge(await cache.SortedSetPutAsync("k", [new(large, 1), new(large, 1)]));
        TooLarge(await cache.DictionaryGetAsync("k", [large, large]));
        CacheBytes[] tooMany = [.. Enumerable.Repeat((CacheBytes)"", Arguments.MaxElements + 1)];
        TooLarge(await cache.SetContainsAsync("k", tooMany));
        TooLarge(await cache.ListConcatenateBackAsync("k", new Endless()));
        // The total exceeds two gigabytes. No calculation of a length may overflow.
        TooLarge(await cache.SetUnionAsync("k", [.. Enumerable.Repeat((CacheBytes)new byte[1_000_000], 5_000)]));
        Assert.Equal((0, 0), (test.Transport.Count, test.Client.InFlight));
    }

    [Fact]
    public async Task COLL_6_maximum_number_of_elements_is_sent()
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(Transport.Pipeline);
        CacheBytes[] most = [.. Enumerable.Repeat((CacheBytes)"", Arguments.MaxElements)];
        Expect.Success(await fixture.Cache.SetAddElementAsync("s", ""));
        Assert.Equal(most.Length, Expect.Hit(await fixture.Cache.SetContainsAsync("s", most)).Count(static each => each));
    }

    [Fact]
    public async Task Null_lists_are_rejected_and_later_changes_are_ignored()
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(Transport.Unary);
        Cache cache = fixture.Cache;
        Assert.Equal("fields", (await Assert.ThrowsAsync<ArgumentNullException>(async () => await cache.DictionaryGetAsync("k", null!))).ParamName);
        Assert.Equal("items", (await Assert.ThrowsAsync<ArgumentNullException>(async () => await cache.DictionarySetAsync("k", null!))).ParamName);
        Assert.Equal("ranges", (await Assert.ThrowsAsync<ArgumentNullException>(async () => await cache.ListEraseAsync("k", null!))).ParamName);
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await cache.SetUnionAsync("k", new Throwing()));
        for (int round = 0; round < 100; round++)
        {
            List<CacheBytes> elements = ["a", "b", "c"];
            ValueTask<CacheResult> call = cache.SetUnionAsync("s", elements);
            ValueTask<LookupResult<IReadOnlyList<bool>>> asked = cache.SetContainsAsync("s", elements);
            elements.Clear();
            elements.AddRange(Enumerable.Repeat((CacheBytes)new byte[100], 100));
            Expect.Success(await Eventually.Within(call));
            LookupResult<IReadOnlyList<bool>> answer = await Eventually.Within(asked);
            Assert.True(answer is { IsMiss: true } or { IsHit: true, Value.Count: 3 }, $"{answer}");
        }

        Assert.Equal(3, Expect.Hit(await cache.SetLengthAsync("s")));
        Assert.Equal((0, 0), (fixture.Client.InFlight, fixture.Client.Queued));
    }

    private static void Refused(object response) => Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(response).Code);

    private static void TooLarge(object response)
    {
        CacheError failure = Expect.Error(response);
        Assert.Equal((CacheErrorCode.LimitExceeded, "request_size_limit_exceeded"), (failure.Code, failure.Cause));
    }

    private sealed class Endless : IReadOnlyList<CacheBytes>
    {
        public int Count => int.MaxValue;

        public CacheBytes this[int index] => "a";

        public IEnumerator<CacheBytes> GetEnumerator()
        {
            while (true)
            {
                yield return "a";
            }
        }

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    private sealed class Throwing : IReadOnlyList<CacheBytes>
    {
        public int Count => 1;

        public CacheBytes this[int index] => throw new InvalidOperationException();

        public IEnumerator<CacheBytes> GetEnumerator() => throw new InvalidOperationException();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
