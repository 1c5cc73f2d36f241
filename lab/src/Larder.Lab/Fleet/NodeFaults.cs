using System.Diagnostics;
using Larder.Client;
using Larder.Harness.Redis;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Fleet;

/// <summary>
/// The scenarios S5e and S5f: a node that accepts no writes, and a node that rejects a gateway's password. Each scenario uses a single server
/// and its own gateways.
/// </summary>
internal static class NodeFaults
{
    private static readonly string[] s_tags = [.. Enumerable.Range(0, 12).Select(number => $"t{number}")];

    /// <summary>S5e: the node is out of memory, and its policy does not allow evictions.</summary>
    public static async Task<FaultResult> OutOfMemoryAsync()
    {
        using var cluster = FleetCluster.StartAlone("--maxmemory-policy", "noeviction");
        await using FleetGateway gateway = await FleetGateway.StartAsync(cluster.Url).ConfigureAwait(false);
        await gateway.UntilReadyAsync().ConfigureAwait(false);
        await using CacheClient client = await FleetUnderTest.ClientAsync(gateway.Endpoint).ConfigureAwait(false);
        var load = new NumberedLoad(client, FleetUnderTest.Keys("S5e", s_tags));
        await load.StartAsync().ConfigureAwait(false);
        long faultAt = Stopwatch.GetTimestamp();
        await cluster.Nodes[0].AskAsync("CONFIG", "SET", "maxmemory", "1").ConfigureAwait(false);
        await UntilAsync(client, "S5e", CacheErrorCode.LimitExceeded).ConfigureAwait(false);
        await load.UntilAnsweredAsync().ConfigureAwait(false);
        await cluster.Nodes[0].AskAsync("CONFIG", "SET", "maxmemory", "0").ConfigureAwait(false);
        long roomAt = Stopwatch.GetTimestamp();
        await UntilAsync(client, "S5e", null).ConfigureAwait(false);
        TimeSpan recovered = Stopwatch.GetElapsedTime(roomAt);
        LoadCounts counts = await load.StopAsync(faultAt).ConfigureAwait(false);
        List<string> broken = [.. FleetUnderTest.Judge(counts, mayFail: true, mayLose: false)];
        if (counts.Errors.Keys.Any(error => error != $"set {CacheErrorCode.LimitExceeded}"))
        {
            broken.Add($"unexpected errors, other than RESOURCE_EXHAUSTED of sets: {string.Join(", ", counts.Errors)}");
        }

        string seen = Say($"sets succeeded {recovered.TotalSeconds:N2} s after memory was available again; gets continued to succeed");
        return new FaultResult("S5e", counts, null, seen, broken);
    }

    /// <summary>S5f: one gateway uses a wrong password. The password of another, running gateway is changed in the node and then restored.</summary>
    public static async Task<FaultResult> RefusedAsync()
    {
        const string Right = "right";
        using var cluster = FleetCluster.StartAlone("--requirepass", Right);
        RedisServer node = cluster.Nodes[0];
        await using FleetGateway gateway = await FleetGateway.StartAsync($"redis://:{Right}@{node.Endpoint}").ConfigureAwait(false);
        await using FleetGateway wrong = await FleetGateway.StartAsync($"redis://:wrong@{node.Endpoint}").ConfigureAwait(false);
        await gateway.UntilReadyAsync().ConfigureAwait(false);
        await using CacheClient refused = await FleetUnderTest.ClientAsync(wrong.Endpoint).ConfigureAwait(false);
        List<string> broken = [];
        // This gateway has never read the list of caches, so it may also return Internal.
        if (await ErrorOfSetAsync(refused, "S5f").ConfigureAwait(false) is not (CacheErrorCode.Unavailable or CacheErrorCode.Internal))
        {
            broken.Add("a set through a gateway with a wrong password did not fail as expected");
        }

        await using CacheClient client = await FleetUnderTest.ClientAsync(gateway.Endpoint).ConfigureAwait(false);
        var load = new NumberedLoad(client, FleetUnderTest.Keys("S5f", s_tags));
        await load.StartAsync().ConfigureAwait(false);
        long faultAt = Stopwatch.GetTimestamp();
        await node.AskAsync("CONFIG", "SET", "requirepass", "changed").ConfigureAwait(false);
        node.Password = "changed";
        await load.UntilAnsweredAsync().ConfigureAwait(false);
        await node.AskAsync("CLIENT", "KILL", "TYPE", "normal").ConfigureAwait(false);
        await UntilAsync(client, "S5f", CacheErrorCode.Internal).ConfigureAwait(false);
        await node.AskAsync("CONFIG", "SET", "requirepass", Right).ConfigureAwait(false);
        node.Password = Right;
        long backAt = Stopwatch.GetTimestamp();
        await UntilAsync(client, "S5f", null).ConfigureAwait(false);
        TimeSpan recovered = Stopwatch.GetElapsedTime(backAt);
        await load.UntilAnsweredAsync().ConfigureAwait(false);
        LoadCounts counts = await load.StopAsync(faultAt).ConfigureAwait(false);
        broken.AddRange(FleetUnderTest.Judge(counts, mayFail: true, mayLose: false));
        if (counts.Errors.Keys.Any(error => error.EndsWith(nameof(CacheErrorCode.Unauthenticated), StringComparison.Ordinal)))
        {
            broken.Add("a call failed with UNAUTHENTICATED");
        }

        string seen = Say($"existing connections continued to work; new connections were refused; calls succeeded {recovered.TotalSeconds:N2} s after ")
            + "the password was restored";
        return new FaultResult("S5f", counts, null, seen, broken);
    }

    private static Task UntilAsync(CacheClient client, string key, CacheErrorCode? expected) => Wait.UntilAsync(
        async () => await ErrorOfSetAsync(client, key).ConfigureAwait(false) == expected,
        expected is null ? "a successful set" : $"a set that fails with {expected}");

    private static async Task<CacheErrorCode?> ErrorOfSetAsync(CacheClient client, string key) =>
        (await client.Cache(NumberedLoad.CacheName).SetAsync(key, "probe").ConfigureAwait(false)).Error?.Code;
}
