namespace Larder.Client.Tests.Collections;

public sealed class SetTests
{
    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Set_adds_finds_and_removes_elements(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Assert.IsType<SetUnionResponse.Success>(await cache.SetUnionAsync("s", ["a", "b", "a", ""]));
        Assert.Equal(["", "a", "b"], Assert.IsType<SetFetchResponse.Hit>(await cache.SetFetchAsync("s")).ToStrings().Order());
        Assert.Equal([true, false, true], Assert.IsType<SetContainsResponse.Hit>(await cache.SetContainsAsync("s", ["b", "none", ""])).Contains);
        Assert.Equal(3, Assert.IsType<SetLengthResponse.Hit>(await cache.SetLengthAsync("s")).Length);
        Assert.IsType<SetDifferenceResponse.Hit>(await cache.SetDifferenceAsync("s", ["", "none"]));
        Assert.IsType<SetDifferenceResponse.Hit>(await cache.SetDifferenceFromAsync("s", ["a", "c", "d"]));
        Assert.Equal(["c", "d"], Assert.IsType<SetFetchResponse.Hit>(await cache.SetFetchAsync("s")).ToStrings().Order());
        Assert.IsType<SetDifferenceResponse.Hit>(await cache.SetDifferenceAsync("s", ["c", "d"]));
        Assert.IsType<SetFetchResponse.Miss>(await cache.SetFetchAsync("s"));
        Assert.IsType<SetContainsResponse.Miss>(await cache.SetContainsAsync("s", ["a"]));
        Assert.IsType<SetDifferenceResponse.Miss>(await cache.SetDifferenceAsync("s", ["a"]));
        Assert.IsType<SetLengthResponse.Miss>(await cache.SetLengthAsync("s"));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Set_sample_keeps_and_pop_removes_elements(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        await cache.SetUnionAsync("s", ["a", "b", "c"]);
        Assert.Empty(Assert.IsType<SetSampleResponse.Hit>(await cache.SetSampleAsync("s", 0)).Elements);
        Assert.Equal(2, Assert.IsType<SetSampleResponse.Hit>(await cache.SetSampleAsync("s", 2)).ToStrings().Distinct().Count());
        Assert.Equal(3, Assert.IsType<SetSampleResponse.Hit>(await cache.SetSampleAsync("s", long.MaxValue)).Elements.Count);
        string first = Assert.Single(Assert.IsType<SetPopResponse.Hit>(await cache.SetPopAsync("s")).ToStrings());
        IEnumerable<string> rest = Assert.IsType<SetPopResponse.Hit>(await cache.SetPopAsync("s", int.MaxValue)).ToStrings();
        Assert.Equal(["a", "b", "c"], rest.Append(first).Order());
        Assert.IsType<SetPopResponse.Miss>(await cache.SetPopAsync("s"));
        Assert.IsType<SetSampleResponse.Miss>(await cache.SetSampleAsync("s", 1));
        Assert.Equal(CacheErrorCode.InvalidArgument, Assert.IsType<SetPopResponse.Error>(await cache.SetPopAsync("s", 0)).Code);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Set_adds_finds_and_removes_a_single_element(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Assert.IsType<SetContainsElementResponse.Miss>(await cache.SetContainsElementAsync("s", "a"));
        Assert.IsType<SetUnionResponse.Success>(await cache.SetAddElementAsync("s", "a"));
        Assert.IsType<SetUnionResponse.Success>(await cache.SetAddElementsAsync("s", ["b", "c"]));
        Assert.True(Assert.IsType<SetContainsElementResponse.Hit>(await cache.SetContainsElementAsync("s", "a")).Contains);
        Assert.Equal("Hit (False)", $"{await cache.SetContainsElementAsync("s", "none")}");
        Assert.Equal([false, true], Assert.IsType<SetContainsResponse.Hit>(await cache.SetContainsElementsAsync("s", ["none", "b"])).Contains);
        await cache.SetRemoveElementAsync("s", "a");
        await cache.SetRemoveElementsAsync("s", ["b"]);
        Assert.Equal(["c"], Assert.IsType<SetFetchResponse.Hit>(await cache.SetFetchAsync("s")).ToStrings());
        await cache.ListPushBackAsync("list", "a");
        Assert.Equal(
            CacheErrorCode.FailedPrecondition,
            Assert.IsType<SetContainsElementResponse.Error>(await cache.SetContainsElementAsync("list", "a")).Code);
    }

    [Fact]
    public async Task PIPE_9_pop_too_large_for_the_pipeline_pops_once()
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(Transport.Pipeline);
        string[] all = [.. Enumerable.Range(0, 400).Select(static n => $"{n:000}{new string('x', 1_000)}")];
        await fixture.Cache.SetUnionAsync("s", [.. all.Select(static each => (CacheBytes)each)]);
        IReadOnlyList<string> popped = Assert.IsType<SetPopResponse.Hit>(await fixture.Cache.SetPopAsync("s", 300)).ToStrings();
        IReadOnlyList<string> left = Assert.IsType<SetFetchResponse.Hit>(await fixture.Cache.SetFetchAsync("s")).ToStrings();
        Assert.Equal((300, 100), (popped.Count, left.Count));
        Assert.Equal(all, popped.Concat(left).Order());
    }
}
