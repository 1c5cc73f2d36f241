using Larder.Client.Tests.Support;

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
        Expect.Success(await cache.DictionarySetAsync("d", [new("a", "1"), new("b", new byte[] { 0, 255 }), new("a", "2")]));
        IReadOnlyList<CacheValue?> got = Expect.Hit(await cache.DictionaryGetAsync("d", ["b", "none", "a", "a"]));
        Assert.Equal([0, 255], got[0]!.Value.ToArray());
        Assert.Equal([null, "2", "2"], got.ToStrings().Skip(1));
        IReadOnlyList<DictionaryField> fetched = Expect.Hit(await cache.DictionaryFetchAsync("d"));
        Assert.Equal(["a", "b"], fetched.Select(static item => item.Field.Text).Order());
        Assert.Equal("2", fetched.ToStringDictionary()["a"]);
        Assert.Equal(2, Expect.Hit(await cache.DictionaryLengthAsync("d")));
        Expect.Success(await cache.DictionaryRemoveAsync("d", ["a", "none"]));
        Assert.Equal(1, Expect.Hit(await cache.DictionaryLengthAsync("d")));
        Expect.Success(await cache.DictionaryDeleteAsync("d"));
        Expect.Miss(await cache.DictionaryFetchAsync("d"));
        Expect.Miss(await cache.DictionaryGetAsync("d", ["a"]));
        Expect.Miss(await cache.DictionaryLengthAsync("d"));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Dictionary_increment_adds_to_a_number_and_rejects_text(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Assert.Equal(1, Expect.Success(await cache.DictionaryIncrementAsync("d", "n")));
        Assert.Equal(
            long.MinValue + 1,
            Expect.Success(await cache.DictionaryIncrementAsync("d", "n", long.MinValue)));
        await cache.DictionarySetFieldAsync("d", "text", "abc");
        Assert.Equal(
            CacheErrorCode.FailedPrecondition,
            Expect.Error(await cache.DictionaryIncrementAsync("d", "text")).Code);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Dictionary_sets_reads_and_removes_a_single_field(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        Expect.Miss(await cache.DictionaryGetFieldAsync("d", "a"));
        Expect.Success(await cache.DictionarySetFieldAsync("d", "a", "1"));
        Expect.Success(await cache.DictionarySetFieldsAsync("d", [new("b", "2")]));
        Assert.Equal("1", Expect.Hit(await cache.DictionaryGetFieldAsync("d", "a")).Text);
        Expect.Miss(await cache.DictionaryGetFieldAsync("d", "none"));
        Assert.Equal(["2", "1"], Expect.Hit(await cache.DictionaryGetFieldsAsync("d", ["b", "a"])).ToStrings());
        await cache.DictionaryRemoveFieldAsync("d", "a");
        await cache.DictionaryRemoveFieldsAsync("d", ["b"]);
        Expect.Miss(await cache.DictionaryFetchAsync("d"));
        await cache.SetAsync("scalar", "v");
        CacheError error = Expect.Error(await cache.DictionaryGetFieldAsync("scalar", "a"));
        Assert.Equal((CacheErrorCode.FailedPrecondition, "dictionaryGetField"), (error.Code, error.Operation));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task Dictionary_stores_and_fetches_100000_fields(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        DictionaryItem[] items = [.. Enumerable.Range(0, 100_000).Select(static n => new DictionaryItem($"f{n}", $"v{n}"))];
        Expect.Success(await fixture.Cache.DictionarySetAsync("d", items));
        IReadOnlyList<DictionaryField> hit = Expect.Hit(await fixture.Cache.DictionaryFetchAsync("d"));
        Dictionary<string, string> read = hit.ToStringDictionary();
        Assert.Equal(100_000, read.Count);
        Assert.All(read, static pair => Assert.Equal(pair.Key[1..], pair.Value[1..]));
    }

    [Fact]
    public async Task ToString_of_dictionary_responses_contains_counts_but_no_values()
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(Transport.Pipeline);
        Cache cache = fixture.Cache;
        Assert.Equal("Success", $"{await cache.DictionarySetFieldAsync("d", "secret", "secret")}");
        Assert.Equal("Hit (1 items)", $"{await cache.DictionaryGetAsync("d", ["secret"])}");
        LookupResult<IReadOnlyList<DictionaryField>> fetched = await cache.DictionaryFetchAsync("d");
        Assert.Equal("Hit (1 items)", $"{fetched}");
        Assert.Equal("DictionaryField", $"{Expect.Hit(fetched)[0]}");
        Assert.Equal("Hit (6 bytes)", $"{await cache.DictionaryGetFieldAsync("d", "secret")}");
        Assert.Equal("Hit (1)", $"{await cache.DictionaryLengthAsync("d")}");
    }
}
