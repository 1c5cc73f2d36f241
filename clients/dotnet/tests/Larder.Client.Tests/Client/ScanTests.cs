using System.Text;
using Google.Protobuf;
using Larder.Client.Operations;
using Larder.Client.Tests.Support;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Client.Tests;

/// <summary>Tests scans of keys, page by page.</summary>
public sealed class ScanTests
{
    [Fact]
    public async Task ScanKeys_returns_every_key_with_type_ttl_and_size()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Cache cache = client.Cache("cache");
        string[] names = [.. Enumerable.Range(0, 300).Select(static number => $"page {number}")];
        await cache.SetBatchAsync([.. names.Select(static name => new SetBatchItem(name, "value"))]);
        await cache.SetAsync("other", "value");
        Dictionary<string, ScannedKey> met = [];
        ReadOnlyMemory<byte> cursor = default;
        int pages = 0;
        do
        {
            KeyPage page = Expect.Success(await cache.ScanKeysAsync("page ", cursor: cursor, count: 50));
            Assert.InRange(page.Keys.Count, 0, 50);
            Assert.Equal($"{page.Keys.Count} keys", $"{page}");
            foreach (ScannedKey key in page.Keys)
            {
                met[Encoding.UTF8.GetString(key.Key.Span)] = key;
            }

            cursor = page.Cursor;
            pages++;
        }
        while (!cursor.IsEmpty);
        Assert.Equal(names.Order(), met.Keys.Order());
        Assert.True(pages >= 6);
        Assert.All(met.Values, static key => Assert.Equal((CacheItemType.Scalar, 5), (key.Type, key.SizeBytes)));
        Assert.All(met.Values, static key => Assert.InRange(key.RemainingTtl, TimeSpan.FromTicks(1), TimeSpan.FromDays(1)));
        Assert.Empty(Expect.Success(await cache.ScanKeysAsync("page ", CacheItemType.List)).Keys);
    }

    [Fact]
    public async Task ScanKeys_rejects_invalid_cursor_prefix_and_count()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        CacheResult<KeyPage>[] answers =
        [
            await client.Cache("cache").ScanKeysAsync(cursor: "garbage"u8.ToArray()),
            await client.Cache("cache").ScanKeysAsync("\ud800"),
            await client.Cache("cache").ScanKeysAsync(count: -1),
            await client.Cache("").ScanKeysAsync(),
        ];
        Assert.All(answers, static answer => Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(answer).Code));
    }

    [Fact]
    public async Task ScanKeys_fails_on_server_without_support_and_other_calls_succeed()
    {
        await using UnaryOnlyServer server = UnaryOnlyServer.Start();
        await using CacheClient client = new(Configurations.Laptop.Latest(), CredentialProvider.Local(port: server.Port), TimeSpan.FromMinutes(1));
        CacheError answer = Expect.Error(await client.Cache("cache").ScanKeysAsync());
        Assert.Equal(CacheErrorCode.Unknown, answer.Code);
        Assert.Contains("scanKeys", answer.Message, StringComparison.Ordinal);
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
    }

    [Fact]
    public void ScanKeys_request_matches_the_protobuf_encoding()
    {
        ScanKeysOperation operation = new("prefix", CacheItemType.SortedSet, new byte[] { 1, 2 }, 7);
        byte[] bytes = new byte[operation.Measure()];
        ProtoWriter writer = new(bytes);
        operation.Write(ref writer);
        Protocol.ScanKeysRequest read = Protocol.ScanKeysRequest.Parser.ParseFrom(bytes);
        Assert.Equal(("prefix", Protocol.KeyType.SortedSet, 7u), (read.Prefix.ToStringUtf8(), read.Type, read.Count));
        Assert.Equal([1, 2], read.Cursor.ToByteArray());
    }

    [Fact]
    public void ScanKeys_decodes_a_protobuf_response()
    {
        Protocol.ScanKeysResponse answer = new() { Cursor = ByteString.CopyFrom(9) };
        answer.Keys.Add(new Protocol.ScannedKey { Key = ByteString.CopyFrom(0xFF), Type = Protocol.KeyType.List, TtlMs = 3, Bytes = 4 });
        KeyPage read = Expect.Success(ScanKeysOperation.Decode(answer.ToByteArray()));
        ScannedKey key = Assert.Single(read.Keys);
        Assert.Equal((CacheItemType.List, TimeSpan.FromMilliseconds(3), 4), (key.Type, key.RemainingTtl, key.SizeBytes));
        Assert.Equal([0xFF], key.Key.ToArray());
        Assert.Equal([9], read.Cursor.ToArray());
        Assert.Throws<FormatException>(() => ScanKeysOperation.Decode([0x0A, 0x05, 0x01]));
    }
}
