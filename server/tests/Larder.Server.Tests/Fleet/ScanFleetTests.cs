using System.Globalization;
using Google.Protobuf;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet;

/// <summary>Tests of scans through gateways over several masters while the cluster changes.</summary>
public sealed class ScanFleetTests
{
    private const string Path = "/larder.v1.Extras/ScanKeys";

    [Fact]
    public async Task Scan_across_two_gateways_returns_every_key_of_its_cache()
    {
        using RedisCluster cluster = new();
        await using RunningServer first = await RunningGateway.StartAsync(cluster.Servers[0].Url);
        await using RunningServer second = await RunningGateway.StartAsync(cluster.Servers[2].Url);
        await first.CallAsync<CreateCacheResponse>("/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = "other" });
        await Task.WhenAll(Enumerable.Range(0, 500).Select(number => first.SetAsync($"k{number}", "value")));
        await Task.WhenAll(Enumerable.Range(0, 100).Select(number => first.SetAsync($"k{number}", "value", cache: "other")));
        await first.SetAsync("j", "value");
        HashSet<string> shown = [];
        ScanKeysRequest ask = new() { Prefix = CallHarness.Bytes("k"), Count = 50 };
        int pages = 0;
        do
        {
            ScanKeysResponse page = await (pages++ % 2 == 0 ? first : second).CallAsync<ScanKeysResponse>(Path, ask);
            Assert.All(page.Keys, key => Assert.Equal((KeyType.Scalar, 5ul), (key.Type, key.Bytes)));
            Assert.All(page.Keys, key => Assert.InRange(key.TtlMs, 1ul, 60_000ul));
            shown.UnionWith(page.Keys.Select(key => key.Key.ToStringUtf8()));
            ask.Cursor = page.Cursor;
        }
        while (!ask.Cursor.IsEmpty);
        Assert.Equal(Enumerable.Range(0, 500).Select(number => $"k{number}").Order(), shown.Order());
        Assert.True(pages > 5);
    }

    [Fact]
    public async Task Scan_must_restart_during_and_after_slot_migration()
    {
        using RedisCluster cluster = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(cluster.Servers[0].Url);
        await Task.WhenAll(Enumerable.Range(0, 300).Select(number => gateway.SetAsync($"k{number}", "value")));
        ByteString cursor = (await gateway.CallAsync<ScanKeysResponse>(Path, new ScanKeysRequest { Count = 5 })).Cursor;
        RedisServer from = cluster.Of("k");
        RedisServer to = cluster.Servers.First(server => server != from);
        string slot = cluster.SlotOf("k").ToString(CultureInfo.InvariantCulture);
        to.Ask("cluster", "setslot", slot, "importing", from.Ask("cluster", "myid"));
        from.Ask("cluster", "setslot", slot, "migrating", to.Ask("cluster", "myid"));
        Assert.Equal(StatusCode.FailedPrecondition, await EndAsync(gateway, default));
        to.Ask("cluster", "setslot", slot, "node", to.Ask("cluster", "myid"));
        from.Ask("cluster", "setslot", slot, "node", to.Ask("cluster", "myid"));
        Assert.Equal(StatusCode.FailedPrecondition, await EndAsync(gateway, cursor));
        await Eventually.UntilAsync(async () => await EndAsync(gateway, default) == StatusCode.Ok, "a scan begun anew comes to its end");
    }

    [Fact]
    public async Task Scan_must_restart_after_server_restart_and_rejects_invalid_cursors()
    {
        using RedisServer redis = new();
        await using RunningServer gateway = await RunningGateway.StartAsync(redis.Url);
        await Task.WhenAll(Enumerable.Range(0, 100).Select(number => gateway.SetAsync($"k{number}", "value")));
        ByteString cursor = (await gateway.CallAsync<ScanKeysResponse>(Path, new ScanKeysRequest { Count = 5 })).Cursor;
        Assert.NotEmpty(cursor);
        Assert.Equal(StatusCode.InvalidArgument, await EndAsync(gateway, cursor.Span[1..].ToArray()));
        await gateway.CallAsync<CreateCacheResponse>("/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = "other" });
        Assert.Equal(StatusCode.InvalidArgument, await EndAsync(gateway, cursor.ToByteArray(), "other"));
        Assert.Equal(StatusCode.Ok, await EndAsync(gateway, cursor));
        redis.Kill();
        redis.Restart();
        await RunningGateway.WaitUntilReadyAsync(gateway);
        Assert.Equal(StatusCode.FailedPrecondition, await EndAsync(gateway, cursor));
    }

    private static Task<StatusCode> EndAsync(RunningServer gateway, ByteString? cursor) => EndAsync(gateway, cursor?.ToByteArray() ?? []);

    /// <summary>Follows the cursor to the end of a scan and returns the final status.</summary>
    private static async Task<StatusCode> EndAsync(RunningServer gateway, byte[] cursor, string cache = RunningServer.Cache)
    {
        ScanKeysRequest ask = new() { Cursor = ByteString.CopyFrom(cursor) };
        try
        {
            do
            {
                ask.Cursor = (await gateway.CallAsync<ScanKeysResponse>(Path, ask, RunningServer.CacheHeaders(cache))).Cursor;
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
