using Larder.Client.Tests.Support;

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
        Expect.Success(await cache.SetUnionAsync("s", ["a", "b", "a", ""]));
        Assert.Equal(["", "a", "b"], Expect.Hit(await cache.SetFetchAsync("s")).ToStrings().Order());
        Assert.Equal([true, false, true], Expect.Hit(await cache.SetContainsAsync("s", ["b", "none", ""])));
        Assert.Equal(3, Expect.Hit(await cache.SetLengthAsync("s")));
        Assert.True(Expect.Success(await cache.SetDifferenceAsync("s", ["", "none"])));
        Assert.True(Expect.Success(await cache.SetDifferenceFromAsync("s", ["a", "c", "d"])));
        Assert.Equal(["c", "d"], Expect.Hit(await cache.SetFetchAsync("s")).ToStrings().Order());
        Assert.True(Expect.Success(await cache.SetDifferenceAsync("s", ["c", "d"])));
        Expect.Miss(await cache.SetFetchAsync("s"));
        Expect.Miss(await cache.SetContainsAsync("s", ["a"]));
        Assert.False(Expect.Success(await cache.SetDifferenceAsync("s", ["a"])));
        Expect.Miss(await cache.SetLengthAsync("s"));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Sample_keeps_elements_and_pop_removes_them(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        await cache.SetUnionAsync("s", ["a", "b", "c"]);
        Assert.Empty(Expect.Hit(await cache.SetSampleAsync("s", 0)));
        Assert.Equal(2, Expect.Hit(await cache.SetSampleAsync("s", 2)).ToStrings().Distinct().Count());
        Assert.Equal(3, Expect.Hit(await cache.SetSampleAsync("s", long.MaxValue)).Count);
        string first = Assert.Single(Expect.Hit(await cache.SetPopAsync("s")).ToStrings());
        IEnumerable<string> rest = Expect.Hit(await cache.SetPopAsync("s", int.MaxValue)).ToStrings();
        Assert.Equal(["a", "b", "c"], rest.Append(first).Order());
        Expect.Miss(await cache.SetPopAsync("s"));
        Expect.Miss(await cache.SetSampleAsync("s", 1));
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await cache.SetPopAsync("s", 0)).Code);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Set_adds_finds_and_removes_a_single_element(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Expect.Miss(await cache.SetContainsElementAsync("s", "a"));
        Expect.Success(await cache.SetAddElementAsync("s", "a"));
        Expect.Success(await cache.SetAddElementsAsync("s", ["b", "c"]));
        Assert.True(Expect.Hit(await cache.SetContainsElementAsync("s", "a")));
        Assert.Equal("Hit (False)", $"{await cache.SetContainsElementAsync("s", "none")}");
        Assert.Equal([false, true], Expect.Hit(await cache.SetContainsElementsAsync("s", ["none", "b"])));
        await cache.SetRemoveElementAsync("s", "a");
        await cache.SetRemoveElementsAsync("s", ["b"]);
        Assert.Equal(["c"], Expect.Hit(await cache.SetFetchAsync("s")).ToStrings());
        await cache.ListPushBackAsync("list", "a");
        Assert.Equal(
            CacheErrorCode.FailedPrecondition,
            Expect.Error(await cache.SetContainsElementAsync("list", "a")).Code);
    }

    [Fact]
    public async Task PIPE_9_pop_with_response_too_large_for_pipeline_runs_once()
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(Transport.Pipeline);
        string[] all = [.. Enumerable.Range(0, 400).Select(static n => $"{n:000}{new string('x', 1_000)}")];
        await fixture.Cache.SetUnionAsync("s", [.. all.Select(static each => (CacheBytes)each)]);
        IReadOnlyList<string> popped = Expect.Hit(await fixture.Cache.SetPopAsync("s", 300)).ToStrings();
        IReadOnlyList<string> left = Expect.Hit(await fixture.Cache.SetFetchAsync("s")).ToStrings();
        Assert.Equal((300, 100), (popped.Count, left.Count));
        Assert.Equal(all, popped.Concat(left).Order());
    }
}
