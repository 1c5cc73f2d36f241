using System.Globalization;
using Google.Protobuf;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Server.Fleet;
using Larder.Server.Tests.Calls;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet;

/// <summary>Tests of scans of collections through gateways while the nodes change.</summary>
public sealed class ItemScanFleetTests
{
    private const string Path = "/larder.v1.Extras/ScanItems";

    [Fact]
    public async Task Scan_across_two_gateways_returns_all_unchanged_elements_during_writes()
    {
        using RedisCluster cluster = new();
        await using RunningServer first = await RunningGateway.StartAsync(cluster.Servers[0].Url);
        await using RunningServer second = await RunningGateway.StartAsync(cluster.Servers[2].Url);
        await AddAsync(first, "stays", 3_000);
        ScanItemsRequest ask = Ask();
        HashSet<string> shown = [];
        for (int page = 0; page == 0 || !ask.Cursor.IsEmpty; page++)
        {
            ScanItemsResponse answer = await (page % 2 == 0 ? first : second).CallAsync<ScanItemsResponse>(Path, ask);
            shown.UnionWith(answer.Set.Elements.Select(each => each.ToStringUtf8()));
            ask.Cursor = answer.Cursor;
            await (page % 3 == 0 ? AddAsync(first, "comes", 5_000) : page % 3 == 1 ? RemoveAsync(first, "comes", 5_000) : Task.CompletedTask);
        }

        Assert.Equal(3_000, shown.Count(each => each.StartsWith("stays", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Scan_must_restart_after_slot_migration()
    {
        using RedisCluster cluster = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(cluster.Servers[0].Url);
        await AddAsync(gateway, "e", 2_000);
        ScanItemsRequest ask = Ask();
        ask.Cursor = (await gateway.CallAsync<ScanItemsResponse>(Path, ask)).Cursor;
        Assert.Equal(StatusCode.Ok, await EndAsync(gateway, ask));
        RedisServer from = cluster.Servers.Single(server => server.Ask("dbsize") is not "0" && KeyOf(server).Length > 0);
        RedisServer to = cluster.Servers.First(server => server != from);
        string key = KeyOf(from);
        string slot = from.Ask("cluster", "keyslot", key);
        to.Ask("cluster", "setslot", slot, "importing", from.Ask("cluster", "myid"));
        from.Ask("cluster", "setslot", slot, "migrating", to.Ask("cluster", "myid"));
        from.Ask("migrate", "127.0.0.1", to.Port.ToString(CultureInfo.InvariantCulture), key, "0", "5000");
        to.Ask("cluster", "setslot", slot, "node", to.Ask("cluster", "myid"));
        from.Ask("cluster", "setslot", slot, "node", to.Ask("cluster", "myid"));
        Assert.Equal(StatusCode.FailedPrecondition, await EndAsync(gateway, ask));
        ask.Cursor = ByteString.Empty;
        Assert.Equal(StatusCode.Ok, await EndAsync(gateway, ask));
    }

    [Fact]
    public async Task Node_restart_ends_set_scan_but_not_list_scan()
    {
        using RedisServer redis = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(redis.Url);
        await AddAsync(gateway, "e", 2_000);
        await PushAsync(gateway, 2_000);
        ScanItemsRequest set = Ask();
        ScanItemsRequest list = Ask("list");
        set.Cursor = (await gateway.CallAsync<ScanItemsResponse>(Path, set)).Cursor;
        list.Cursor = (await gateway.CallAsync<ScanItemsResponse>(Path, list)).Cursor;
        redis.Kill();
        redis.Restart();
        await RunningGateway.WaitUntilReadyAsync(gateway);
        await AddAsync(gateway, "e", 2_000);
        await PushAsync(gateway, 2_000);
        Assert.Equal(StatusCode.FailedPrecondition, await EndAsync(gateway, set));
        ScanItemsResponse page = await gateway.CallAsync<ScanItemsResponse>(Path, list);
        Assert.Equal(Enumerable.Range(50, 50).Select(number => $"e{number}"), page.List.Elements.Select(each => each.ToStringUtf8()));
    }

    [Fact]
    public async Task Scan_of_small_then_large_fields_completes()
    {
        using RedisServer redis = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(redis.Url);
        DictionarySetRequest small = new() { Name = CallHarness.Bytes("key"), TtlMs = 600_000 };
        small.Items.AddRange(Enumerable.Range(0, 600).Select(number => new DictionaryItem { Field = CallHarness.Bytes($"s{number}") }));
        await gateway.CallAsync<DictionarySetResponse>("/cache_client.Scs/DictionarySet", small);
        // Redis scans whole hash-table buckets. Even if a bucket contains four fields of this size, they fit into a page. Three fields of 3 MB would not fit.
        for (int number = 0; number < 30; number++)
        {
            DictionarySetRequest large = new() { Name = CallHarness.Bytes("key"), TtlMs = 600_000 };
            large.Items.Add(new DictionaryItem { Field = CallHarness.Bytes($"l{number}"), Value = ByteString.CopyFrom(new byte[2_000_000]) });
            await gateway.CallAsync<DictionarySetResponse>("/cache_client.Scs/DictionarySet", large);
        }

        HashSet<string> shown = [];
        ScanItemsRequest ask = new() { Name = small.Name, Count = 4_096 };
        do
        {
            ScanItemsResponse page = await gateway.CallAsync<ScanItemsResponse>(Path, ask);
            shown.UnionWith(page.Dictionary.Fields.Select(each => each.Field.ToStringUtf8()));
            ask.Cursor = page.Cursor;
        }
        while (!ask.Cursor.IsEmpty);
        Assert.Equal(630, shown.Count);
    }

    [Fact]
    public void FleetItemCursor_round_trips_for_its_own_key_only()
    {
        FleetItemCursor cursor = new(ItemType.SortedSet, ulong.MaxValue, ulong.MaxValue - 1);
        byte[] written = cursor.Write(7, "key"u8);
        Assert.True(FleetItemCursor.TryRead(written, 7, "key"u8, out FleetItemCursor read));
        Assert.Equal(cursor, read);
        Assert.False(FleetItemCursor.TryRead(written, 8, "key"u8, out _));
        Assert.False(FleetItemCursor.TryRead(written, 7, "kez"u8, out _));
        Assert.False(FleetItemCursor.TryRead(written.AsSpan(1), 7, "key"u8, out _));
        Assert.False(FleetItemCursor.TryRead((cursor with { Type = ItemType.Scalar }).Write(7, "key"u8), 7, "key"u8, out _));
        Assert.False(FleetItemCursor.TryRead((cursor with { Type = ItemType.List }).Write(7, "key"u8), 7, "key"u8, out _));
        Assert.False(FleetItemCursor.TryRead((cursor with { Position = 0 }).Write(7, "key"u8), 7, "key"u8, out _));
    }

    // Returns the stored key of the set. The server also contains keys that the gateways use.
    private static string KeyOf(RedisServer server) =>
        server.Ask("eval", "for _, k in ipairs(redis.call('keys', '*')) do if redis.call('type', k).ok == 'set' then return k end end return ''", "0");

    private static ScanItemsRequest Ask(string name = "key") => new() { Name = CallHarness.Bytes(name), Count = 50 };

    private static ByteString[] Names(string prefix, int many) => [.. Enumerable.Range(0, many).Select(number => CallHarness.Bytes($"{prefix}{number}"))];

    private static async Task AddAsync(RunningServer gateway, string prefix, int many) => await gateway.CallAsync<SetUnionResponse>(
        "/cache_client.Scs/SetUnion",
        new SetUnionRequest { Name = CallHarness.Bytes("key"), Elements = { Names(prefix, many) }, TtlMs = 600_000 });

    private static async Task RemoveAsync(RunningServer gateway, string prefix, int many) => await gateway.CallAsync<SetDifferenceResponse>(
        "/cache_client.Scs/SetDifference",
        new SetDifferenceRequest { Name = CallHarness.Bytes("key"), Subtrahend = new() { Set = new() { Elements_ = { Names(prefix, many) } } } });

    private static async Task PushAsync(RunningServer gateway, int many) => await gateway.CallAsync<ListConcatenateBackResponse>(
        "/cache_client.Scs/ListConcatenateBack",
        new ListConcatenateBackRequest { Name = CallHarness.Bytes("list"), Values = { Names("e", many) }, TtlMs = 600_000 });

    /// <summary>Follows the cursor to the end of a scan and returns the final status.</summary>
    private static async Task<StatusCode> EndAsync(RunningServer gateway, ScanItemsRequest from)
    {
        ScanItemsRequest ask = from.Clone();
        try
        {
            do
            {
                ask.Cursor = (await gateway.CallAsync<ScanItemsResponse>(Path, ask)).Cursor;
            }
            while (!ask.Cursor.IsEmpty);
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }
}
