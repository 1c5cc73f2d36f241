using System.Globalization;
using Google.Protobuf;
using Larder.Client.Operations;
using Larder.Client.Tests.Support;
using Larder.Wire.Protobuf;

namespace Larder.Client.Tests;

/// <summary>Tests scans of collections, page by page.</summary>
public sealed class ItemScanTests
{
    private static readonly string[] s_names = [.. Enumerable.Range(0, 1_000).Select(static number => number.ToString(CultureInfo.InvariantCulture))];

    [Fact]
    public async Task ScanItems_returns_every_collection_type_page_by_page()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Cache cache = client.Cache("cache");
        await cache.DictionarySetAsync("dictionary", [.. s_names.Select(static name => new DictionaryItem(name, $"value {name}"))]);
        await cache.SetAddElementsAsync("set", [.. s_names.Select(static name => (CacheBytes)name)]);
        await cache.ListConcatenateBackAsync("list", [.. s_names.Select(static name => (CacheBytes)name)]);
        await cache.SortedSetPutAsync("sorted", [.. s_names.Select(static (name, number) => new SortedSetElement(name, number / 4.0))]);

        CollectionPage[] dictionary = await AllAsync(cache, "dictionary", CacheItemType.Dictionary);
        Assert.Equal(s_names.Order(), dictionary.SelectMany(static page => page.Fields).Select(static each => each.Field.Text).Order());
        Assert.All(dictionary.SelectMany(static page => page.Fields), static each => Assert.Equal($"value {each.Field.Text}", each.Value.Text));
        CollectionPage[] set = await AllAsync(cache, "set", CacheItemType.Set);
        Assert.Equal(s_names.Order(), set.SelectMany(static page => page.Elements.ToStrings()).Order());
        CollectionPage[] list = await AllAsync(cache, "list", CacheItemType.List);
        Assert.Equal(s_names, list.SelectMany(static page => page.Elements.ToStrings()));
        CollectionPage[] sorted = await AllAsync(cache, "sorted", CacheItemType.SortedSet);
        Assert.Equal(
            s_names.Select(static (name, number) => (name, number / 4.0)).Order(),
            sorted.SelectMany(static page => page.ScoredElements).Select(static each => (each.Value.Text, each.Score)).Order());
    }

    [Fact]
    public async Task ScanItems_distinguishes_missing_keys_scalars_and_replaced_keys()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Cache cache = client.Cache("cache");
        await cache.SetAsync("scalar", "value");
        await cache.ListConcatenateBackAsync("list", [.. s_names.Select(static name => (CacheBytes)name)]);
        Expect.Miss(await cache.ScanItemsAsync("none"));
        Assert.Equal(CacheErrorCode.FailedPrecondition, Expect.Error(await cache.ScanItemsAsync("scalar")).Code);
        CollectionPage page = Expect.Hit(await cache.ScanItemsAsync("list"));
        await cache.DeleteAsync("list");
        Expect.Miss(await cache.ScanItemsAsync("list", page.Cursor));
        await cache.SetAddElementAsync("list", "element");
        Assert.Equal(CacheErrorCode.FailedPrecondition, Expect.Error(await cache.ScanItemsAsync("list", page.Cursor)).Code);
    }

    [Fact]
    public async Task ScanItems_rejects_invalid_name_cursor_cache_and_count()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        LookupResult<CollectionPage>[] answers =
        [
            await client.Cache("cache").ScanItemsAsync(""),
            await client.Cache("cache").ScanItemsAsync((string)null!),
            await client.Cache("cache").ScanItemsAsync("\ud800"),
            await client.Cache("cache").ScanItemsAsync("name", "garbage"u8.ToArray()),
            await client.Cache("cache").ScanItemsAsync("name", count: -1),
            await client.Cache("").ScanItemsAsync("name"),
            await client.Cache(null!).ScanItemsAsync("name"),
        ];
        Assert.All(answers, static answer => Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(answer).Code));
    }

    [Fact]
    public async Task ScanItems_fails_on_server_without_support_and_other_calls_succeed()
    {
        await using UnaryOnlyServer server = UnaryOnlyServer.Start();
        await using CacheClient client = new(Configurations.Laptop.Latest(), CredentialProvider.Local(port: server.Port), TimeSpan.FromMinutes(1));
        CacheError answer = Expect.Error(await client.Cache("cache").ScanItemsAsync("name"));
        Assert.Equal(CacheErrorCode.Unknown, answer.Code);
        Assert.Contains("scanItems", answer.Message, StringComparison.Ordinal);
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
    }

    [Fact]
    public void ScanItems_request_matches_the_protobuf_encoding()
    {
        ScanItemsOperation operation = new("name", new byte[] { 1, 2 }, 7);
        byte[] bytes = new byte[operation.Measure()];
        ProtoWriter writer = new(bytes);
        operation.Write(ref writer);
        Protocol.ScanItemsRequest read = Protocol.ScanItemsRequest.Parser.ParseFrom(bytes);
        Assert.Equal(("name", 7u), (read.Name.ToStringUtf8(), read.Count));
        Assert.Equal([1, 2], read.Cursor.ToByteArray());
        Assert.Equal(4, operation.KeyLength);
        Assert.True(ScanItemsOperation.Info.IsIdempotent);
    }

    [Fact]
    public void ScanItems_decodes_protobuf_response_with_cursor_in_any_position()
    {
        Protocol.ScanItemsResponse answer = new() { Cursor = ByteString.CopyFrom(9), SortedSet = new Protocol.ScannedScores() };
        answer.SortedSet.Elements.Add(new Protocol.ScannedScore { Value = ByteString.CopyFrom(0xFF), Score = double.NegativeInfinity });
        byte[] cursorFirst = [0x4A, 1, 9, .. new Protocol.ScanItemsResponse { SortedSet = answer.SortedSet }.ToByteArray()];
        foreach (byte[] bytes in new[] { answer.ToByteArray(), cursorFirst })
        {
            CollectionPage read = Expect.Hit(ScanItemsOperation.Decode(bytes));
            Assert.Equal((CacheItemType.SortedSet, 1, "Hit (1 of a SortedSet)"), (read.Type, read.Count, $"{ScanItemsOperation.Decode(bytes)}"));
            Assert.Equal([0xFF], Assert.Single(read.ScoredElements).Value.ToArray());
            Assert.Equal(double.NegativeInfinity, read.ScoredElements[0].Score);
            Assert.Equal([9], read.Cursor.ToArray());
        }
    }

    [Fact]
    public void Empty_page_decodes_as_hit_and_missing_key_as_miss()
    {
        Protocol.ScanItemsResponse empty = new() { List = new Protocol.ScannedElements(), Cursor = ByteString.CopyFrom(1) };
        CollectionPage read = Expect.Hit(ScanItemsOperation.Decode(empty.ToByteArray()));
        Assert.Equal((CacheItemType.List, 0, 1), (read.Type, read.Count, read.Cursor.Length));
        Protocol.ScanItemsResponse missing = new() { Missing = new Protocol.ScannedNothing(), Cursor = ByteString.CopyFrom(1) };
        Expect.Miss(ScanItemsOperation.Decode(missing.ToByteArray()));
    }

    [Theory]
    [InlineData(new byte[0])]
    [InlineData(new byte[] { 0x4A, 1, 9 })] // only a cursor
    [InlineData(new byte[] { 0x32, 0 })] // an unknown branch
    [InlineData(new byte[] { 0x08, 1 })] // a branch that is a number
    [InlineData(new byte[] { 0x0A, 5, 1 })] // truncated
    [InlineData(new byte[] { 0x0A, 2, 0x0A, 5 })] // truncated within a nested message
    [InlineData(new byte[] { 0x22, 4, 0x0A, 2, 0x11, 0 })] // a truncated score
    public void ScanItems_rejects_malformed_responses(byte[] answer) => Assert.Throws<FormatException>(() => ScanItemsOperation.Decode(answer));

    private static async Task<CollectionPage[]> AllAsync(Cache cache, string name, CacheItemType type)
    {
        List<CollectionPage> pages = [];
        ReadOnlyMemory<byte> cursor = default;
        do
        {
            CollectionPage page = Expect.Hit(await cache.ScanItemsAsync(name, cursor, 70));
            Assert.Equal(type, page.Type);
            Assert.InRange(page.Count, 1, 70);
            pages.Add(page);
            cursor = page.Cursor;
        }
        while (!cursor.IsEmpty);
        return [.. pages];
    }
}
