namespace Larder.Client.Tests.Collections;

public sealed class DictionaryTests
{
    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Dictionary_sets_reads_and_removes_fields(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Assert.IsType<DictionarySetResponse.Success>(await cache.DictionarySetAsync("d", [new("a", "1"), new("b", new byte[] { 0, 255 }), new("a", "2")]));
        DictionaryGetResponse.Hit got = Assert.IsType<DictionaryGetResponse.Hit>(await cache.DictionaryGetAsync("d", ["b", "none", "a", "a"]));
        Assert.Equal([0, 255], got.Values[0]!.Value.ToArray());
        Assert.Equal([null, "2", "2"], got.ToStrings().Skip(1));
        DictionaryFetchResponse.Hit fetched = Assert.IsType<DictionaryFetchResponse.Hit>(await cache.DictionaryFetchAsync("d"));
        Assert.Equal(["a", "b"], fetched.Items.Select(static item => item.FieldString).Order());
        Assert.Equal("2", fetched.Items.ToStringDictionary()["a"]);
        Assert.Equal(2, Assert.IsType<DictionaryLengthResponse.Hit>(await cache.DictionaryLengthAsync("d")).Length);
        Assert.IsType<DictionaryDeleteResponse.Success>(await cache.DictionaryRemoveAsync("d", ["a", "none"]));
        Assert.Equal(1, Assert.IsType<DictionaryLengthResponse.Hit>(await cache.DictionaryLengthAsync("d")).Length);
        Assert.IsType<DictionaryDeleteResponse.Success>(await cache.DictionaryDeleteAsync("d"));
        Assert.IsType<DictionaryFetchResponse.Miss>(await cache.DictionaryFetchAsync("d"));
        Assert.IsType<DictionaryGetResponse.Miss>(await cache.DictionaryGetAsync("d", ["a"]));
        Assert.IsType<DictionaryLengthResponse.Miss>(await cache.DictionaryLengthAsync("d"));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Dictionary_increment_counts_and_rejects_text(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Assert.Equal(1, Assert.IsType<DictionaryIncrementResponse.Success>(await cache.DictionaryIncrementAsync("d", "n")).Value);
        Assert.Equal(
            long.MinValue + 1,
            Assert.IsType<DictionaryIncrementResponse.Success>(await cache.DictionaryIncrementAsync("d", "n", long.MinValue)).Value);
        await cache.DictionarySetFieldAsync("d", "text", "abc");
        Assert.Equal(
            CacheErrorCode.FailedPrecondition,
            Assert.IsType<DictionaryIncrementResponse.Error>(await cache.DictionaryIncrementAsync("d", "text")).Code);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Dictionary_sets_reads_and_removes_a_single_field(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Assert.IsType<DictionaryGetFieldResponse.Miss>(await cache.DictionaryGetFieldAsync("d", "a"));
        Assert.IsType<DictionarySetResponse.Success>(await cache.DictionarySetFieldAsync("d", "a", "1"));
        Assert.IsType<DictionarySetResponse.Success>(await cache.DictionarySetFieldsAsync("d", [new("b", "2")]));
        Assert.Equal("1", Assert.IsType<DictionaryGetFieldResponse.Hit>(await cache.DictionaryGetFieldAsync("d", "a")).ValueString);
        Assert.IsType<DictionaryGetFieldResponse.Miss>(await cache.DictionaryGetFieldAsync("d", "none"));
        Assert.Equal(["2", "1"], Assert.IsType<DictionaryGetResponse.Hit>(await cache.DictionaryGetFieldsAsync("d", ["b", "a"])).ToStrings());
        await cache.DictionaryRemoveFieldAsync("d", "a");
        await cache.DictionaryRemoveFieldsAsync("d", ["b"]);
        Assert.IsType<DictionaryFetchResponse.Miss>(await cache.DictionaryFetchAsync("d"));
        await cache.SetAsync("scalar", "v");
        DictionaryGetFieldResponse.Error error = Assert.IsType<DictionaryGetFieldResponse.Error>(await cache.DictionaryGetFieldAsync("scalar", "a"));
        Assert.Equal((CacheErrorCode.FailedPrecondition, "dictionaryGetField"), (error.Code, error.Failure.Operation));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Dictionary_stores_and_fetches_100000_fields(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        DictionaryItem[] items = [.. Enumerable.Range(0, 100_000).Select(static n => new DictionaryItem($"f{n}", $"v{n}"))];
        Assert.IsType<DictionarySetResponse.Success>(await fixture.Cache.DictionarySetAsync("d", items));
        DictionaryFetchResponse.Hit hit = Assert.IsType<DictionaryFetchResponse.Hit>(await fixture.Cache.DictionaryFetchAsync("d"));
        Dictionary<string, string> read = hit.Items.ToStringDictionary();
        Assert.Equal(100_000, read.Count);
        Assert.All(read, static pair => Assert.Equal(pair.Key[1..], pair.Value[1..]));
    }

    [Fact]
    public async Task Dictionary_responses_print_counts_and_no_values()
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(Transport.Pipeline);
        Cache cache = fixture.Cache;
        Assert.Equal("Success", $"{await cache.DictionarySetFieldAsync("d", "secret", "secret")}");
        Assert.Equal("Hit (1 values)", $"{await cache.DictionaryGetAsync("d", ["secret"])}");
        DictionaryFetchResponse fetched = await cache.DictionaryFetchAsync("d");
        Assert.Equal("Hit (1 items)", $"{fetched}");
        Assert.Equal("DictionaryField", $"{Assert.IsType<DictionaryFetchResponse.Hit>(fetched).Items[0]}");
        Assert.Equal("Hit (6 bytes)", $"{await cache.DictionaryGetFieldAsync("d", "secret")}");
        Assert.Equal("Hit (1)", $"{await cache.DictionaryLengthAsync("d")}");
    }
}
