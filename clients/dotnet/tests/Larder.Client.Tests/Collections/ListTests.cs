using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Collections;

public sealed class ListTests
{
    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task List_pushes_and_pops_at_both_ends(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Assert.Equal(1, Expect.Success(await cache.ListPushBackAsync("l", "c")));
        Assert.Equal(2, Expect.Success(await cache.ListPushFrontAsync("l", "b")));
        Assert.Equal(4, Expect.Success(await cache.ListConcatenateFrontAsync("l", ["", "a"])));
        Assert.Equal(6, Expect.Success(await cache.ListConcatenateBackAsync("l", ["d", "e"])));
        Assert.Equal(["", "a", "b", "c", "d", "e"], Expect.Hit(await cache.ListFetchAsync("l")).ToStrings());
        PoppedElement front = Expect.Hit(await cache.ListPopFrontAsync("l"));
        Assert.Equal(("", 5), (front.Value.Text, front.Length));
        PoppedElement back = Expect.Hit(await cache.ListPopBackAsync("l"));
        Assert.Equal(("e", 4), (back.Value.Text, back.Length));
        Assert.Equal(4, Expect.Hit(await cache.ListLengthAsync("l")));
        Assert.Equal(2, Expect.Success(await cache.ListPushBackAsync("l", "z", truncateFrontToSize: 2)));
        Assert.Equal(1, Expect.Success(await cache.ListPushFrontAsync("l", "y", truncateBackToSize: 1)));
        Assert.Equal(["y"], Expect.Hit(await cache.ListFetchAsync("l")).ToStrings());
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task List_fetches_or_retains_slices_and_removes_values_or_ranges(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        await cache.ListConcatenateBackAsync("l", ["a", "b", "c", "b", "e", "f"]);
        Assert.Equal(["b", "c"], Expect.Hit(await cache.ListFetchAsync("l", 1, 3)).ToStrings());
        Assert.Equal(["e"], Expect.Hit(await cache.ListFetchAsync("l", -2, -1)).ToStrings());
        Assert.Equal(["f"], Expect.Hit(await cache.ListFetchAsync("l", start: 5)).ToStrings());
        Assert.Equal(["a"], Expect.Hit(await cache.ListFetchAsync("l", end: 1)).ToStrings());
        Expect.Miss(await cache.ListFetchAsync("l", 3, 3));
        Assert.Equal(6, Expect.Hit(await cache.ListFetchAsync("l", int.MinValue, int.MaxValue)).Count);
        Assert.Equal(4, Expect.Hit(await cache.ListRemoveAsync("l", "b")));
        Assert.Equal(2, Expect.Hit(await cache.ListEraseAsync("l", [new(0, 1), new(3, int.MaxValue)])));
        Assert.Equal(1, Expect.Hit(await cache.ListRetainAsync("l", start: -1)));
        Assert.Equal(["e"], Expect.Hit(await cache.ListFetchAsync("l")).ToStrings());
        Assert.Equal(0, Expect.Hit(await cache.ListRetainAsync("l", 1, 0)));
        Expect.Miss(await cache.ListFetchAsync("l"));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Missing_list_is_a_miss_and_other_types_are_rejected(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Expect.Miss(await cache.ListPopFrontAsync("l"));
        Expect.Miss(await cache.ListPopBackAsync("l"));
        Expect.Miss(await cache.ListRemoveAsync("l", "a"));
        Expect.Miss(await cache.ListEraseAsync("l", [new(0, 1)]));
        Expect.Miss(await cache.ListRetainAsync("l"));
        Expect.Miss(await cache.ListLengthAsync("l"));
        await cache.SetAsync("scalar", "v");
        CacheError error = Expect.Error(await cache.ListPushBackAsync("scalar", "a"));
        Assert.Equal((CacheErrorCode.FailedPrecondition, 6), (error.Code, error.KeyLength));
        Assert.Equal("v", Expect.Hit(await cache.GetAsync("scalar")).Text);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task List_stores_100000_elements_in_order_and_one_large_element(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        string[] all = [.. Enumerable.Range(0, 100_000).Select(static n => $"e{n}")];
        CacheResult<int> added = await fixture.Cache.ListConcatenateBackAsync("l", [.. all.Select(static each => (CacheBytes)each)]);
        Assert.Equal(100_000, Expect.Success(added));
        Assert.Equal(all, Expect.Hit(await fixture.Cache.ListFetchAsync("l")).ToStrings());
        byte[] large = [.. Enumerable.Range(0, 3_000_000).Select(static n => (byte)n)];
        await fixture.Cache.ListPushFrontAsync("l", large);
        Assert.Equal(large, Expect.Hit(await fixture.Cache.ListPopFrontAsync("l")).Value.ToArray());
    }
}
