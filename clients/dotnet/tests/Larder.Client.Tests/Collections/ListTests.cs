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
        Assert.Equal(1, Assert.IsType<ListPushBackResponse.Success>(await cache.ListPushBackAsync("l", "c")).Length);
        Assert.Equal(2, Assert.IsType<ListPushFrontResponse.Success>(await cache.ListPushFrontAsync("l", "b")).Length);
        Assert.Equal(4, Assert.IsType<ListConcatenateFrontResponse.Success>(await cache.ListConcatenateFrontAsync("l", ["", "a"])).Length);
        Assert.Equal(6, Assert.IsType<ListConcatenateBackResponse.Success>(await cache.ListConcatenateBackAsync("l", ["d", "e"])).Length);
        Assert.Equal(["", "a", "b", "c", "d", "e"], Assert.IsType<ListFetchResponse.Hit>(await cache.ListFetchAsync("l")).ToStrings());
        ListPopFrontResponse.Hit front = Assert.IsType<ListPopFrontResponse.Hit>(await cache.ListPopFrontAsync("l"));
        Assert.Equal(("", 5), (front.ValueString, front.Length));
        ListPopBackResponse.Hit back = Assert.IsType<ListPopBackResponse.Hit>(await cache.ListPopBackAsync("l"));
        Assert.Equal(("e", 4), (back.ValueString, back.Length));
        Assert.Equal(4, Assert.IsType<ListLengthResponse.Hit>(await cache.ListLengthAsync("l")).Length);
        Assert.Equal(2, Assert.IsType<ListPushBackResponse.Success>(await cache.ListPushBackAsync("l", "z", truncateFrontToSize: 2)).Length);
        Assert.Equal(1, Assert.IsType<ListPushFrontResponse.Success>(await cache.ListPushFrontAsync("l", "y", truncateBackToSize: 1)).Length);
        Assert.Equal(["y"], Assert.IsType<ListFetchResponse.Hit>(await cache.ListFetchAsync("l")).ToStrings());
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task List_fetches_retains_and_removes_slices_values_and_ranges(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        await cache.ListConcatenateBackAsync("l", ["a", "b", "c", "b", "e", "f"]);
        Assert.Equal(["b", "c"], Assert.IsType<ListFetchResponse.Hit>(await cache.ListFetchAsync("l", 1, 3)).ToStrings());
        Assert.Equal(["e"], Assert.IsType<ListFetchResponse.Hit>(await cache.ListFetchAsync("l", -2, -1)).ToStrings());
        Assert.Equal(["f"], Assert.IsType<ListFetchResponse.Hit>(await cache.ListFetchAsync("l", start: 5)).ToStrings());
        Assert.Equal(["a"], Assert.IsType<ListFetchResponse.Hit>(await cache.ListFetchAsync("l", end: 1)).ToStrings());
        Assert.IsType<ListFetchResponse.Miss>(await cache.ListFetchAsync("l", 3, 3));
        Assert.Equal(6, Assert.IsType<ListFetchResponse.Hit>(await cache.ListFetchAsync("l", int.MinValue, int.MaxValue)).Values.Count);
        Assert.Equal(4, Assert.IsType<ListRemoveResponse.Hit>(await cache.ListRemoveAsync("l", "b")).Length);
        Assert.Equal(2, Assert.IsType<ListEraseResponse.Hit>(await cache.ListEraseAsync("l", [new(0, 1), new(3, int.MaxValue)])).Length);
        Assert.Equal(1, Assert.IsType<ListRetainResponse.Hit>(await cache.ListRetainAsync("l", start: -1)).Length);
        Assert.Equal(["e"], Assert.IsType<ListFetchResponse.Hit>(await cache.ListFetchAsync("l")).ToStrings());
        Assert.Equal(0, Assert.IsType<ListRetainResponse.Hit>(await cache.ListRetainAsync("l", 1, 0)).Length);
        Assert.IsType<ListFetchResponse.Miss>(await cache.ListFetchAsync("l"));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Missing_list_is_a_miss_and_other_type_is_rejected(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Assert.IsType<ListPopFrontResponse.Miss>(await cache.ListPopFrontAsync("l"));
        Assert.IsType<ListPopBackResponse.Miss>(await cache.ListPopBackAsync("l"));
        Assert.IsType<ListRemoveResponse.Miss>(await cache.ListRemoveAsync("l", "a"));
        Assert.IsType<ListEraseResponse.Miss>(await cache.ListEraseAsync("l", [new(0, 1)]));
        Assert.IsType<ListRetainResponse.Miss>(await cache.ListRetainAsync("l"));
        Assert.IsType<ListLengthResponse.Miss>(await cache.ListLengthAsync("l"));
        await cache.SetAsync("scalar", "v");
        ListPushBackResponse.Error error = Assert.IsType<ListPushBackResponse.Error>(await cache.ListPushBackAsync("scalar", "a"));
        Assert.Equal((CacheErrorCode.FailedPrecondition, 6), (error.Code, error.Failure.KeyLength));
        Assert.Equal("v", Assert.IsType<GetResponse.Hit>(await cache.GetAsync("scalar")).ValueString);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task List_keeps_order_of_100000_elements_and_a_large_one(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        string[] all = [.. Enumerable.Range(0, 100_000).Select(static n => $"e{n}")];
        ListConcatenateBackResponse added = await fixture.Cache.ListConcatenateBackAsync("l", [.. all.Select(static each => (CacheBytes)each)]);
        Assert.Equal(100_000, Assert.IsType<ListConcatenateBackResponse.Success>(added).Length);
        Assert.Equal(all, Assert.IsType<ListFetchResponse.Hit>(await fixture.Cache.ListFetchAsync("l")).ToStrings());
        byte[] large = [.. Enumerable.Range(0, 3_000_000).Select(static n => (byte)n)];
        await fixture.Cache.ListPushFrontAsync("l", large);
        Assert.Equal(large, Assert.IsType<ListPopFrontResponse.Hit>(await fixture.Cache.ListPopFrontAsync("l")).Value.ToArray());
    }
}
