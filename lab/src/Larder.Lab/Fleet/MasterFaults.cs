using System.Diagnostics;
using Larder.Client;
using Larder.Harness.Redis;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Fleet;

/// <summary>The scenarios S5a, S5b and S5g: masters are killed or stopped. The cluster is healthy again after each scenario.</summary>
internal static class MasterFaults
{
    // The node timeout in server/redis.conf. A node that is stopped for a shorter time keeps its role.
    private static readonly TimeSpan s_nodeTimeout = TimeSpan.FromSeconds(4);

    /// <summary>S5a: a master with a replica is killed with SIGKILL under load.</summary>
    public static Task<FaultResult> KilledAsync(FleetUnderTest fleet) => fleet.RunAsync(
        "S5a",
        async (master, load) =>
        {
            RedisServer replica = (await fleet.Cluster.ReplicasOfAsync(master).ConfigureAwait(false))[0];
            long killedAt = Stopwatch.GetTimestamp();
            master.Kill();
            TimeSpan promoted = await UntilMasterAsync(replica, killedAt).ConfigureAwait(false);
            await load.UntilAnsweredAsync().ConfigureAwait(false);
            master.Restart();
            await fleet.Cluster.UntilHealthyAsync().ConfigureAwait(false);
            return Say($"the replica of the killed master was promoted after {promoted.TotalSeconds:N2} s");
        },
        maySlotsFail: true,
        mayLose: true);

    /// <summary>
    /// S5b: a master is stopped with SIGSTOP. If it is stopped for less than the node timeout, no call may fail. If it is stopped for longer, a failover
    /// occurs.
    /// </summary>
    public static Task<FaultResult> StoppedAsync(FleetUnderTest fleet, TimeSpan length) => fleet.RunAsync(
        "S5b",
        async (master, load) =>
        {
            RedisServer replica = (await fleet.Cluster.ReplicasOfAsync(master).ConfigureAwait(false))[0];
            master.Pause();
            await Task.Delay(length).ConfigureAwait(false);
            master.Resume();
            await load.UntilAnsweredAsync().ConfigureAwait(false);
            await fleet.Cluster.UntilHealthyAsync().ConfigureAwait(false);
            string? role = await replica.AskAsync("ROLE").ConfigureAwait(false);
            bool isPromoted = role?.StartsWith("master", StringComparison.Ordinal) ?? false;
            return Say($"the master was stopped for {length.TotalSeconds:N0} s; its replica was {(isPromoted ? "" : "not ")}promoted");
        },
        maySlotsFail: length > s_nodeTimeout,
        mayLose: length > s_nodeTimeout);

    /// <summary>S5g: all nodes are killed and restarted without data.</summary>
    public static async Task<FaultResult> AllDownAsync(FleetUnderTest fleet)
    {
        await using CacheClient client = await fleet.ClientAsync().ConfigureAwait(false);
        var load = new NumberedLoad(client, FleetUnderTest.Keys("S5g", Enumerable.Range(0, 12).Select(number => $"t{number}")));
        await load.StartAsync().ConfigureAwait(false);
        long faultAt = Stopwatch.GetTimestamp();
        foreach (RedisServer node in fleet.Cluster.Nodes)
        {
            node.Kill();
        }

        await Wait.UntilAsync(
            async () => await fleet.First.StatsAsync().ConfigureAwait(false) is { Gateway.IsReady: false },
            "a gateway to detect the failure").ConfigureAwait(false);
        foreach (RedisServer node in fleet.Cluster.Nodes)
        {
            node.Restart();
        }

        TimeSpan up = Stopwatch.GetElapsedTime(faultAt);
        await load.UntilAnsweredAsync().ConfigureAwait(false);
        await fleet.Cluster.UntilHealthyAsync().ConfigureAwait(false);
        LoadCounts counts = await load.StopAsync(faultAt).ConfigureAwait(false);
        return new FaultResult(
            "S5g",
            counts,
            null,
            Say($"the last node was restarted after {up.TotalSeconds:N2} s"),
            [.. FleetUnderTest.Judge(counts, mayFail: true, mayLose: true)]);
    }

    /// <summary>Waits until a replica has become a master. Returns the time since the given timestamp.</summary>
    public static async Task<TimeSpan> UntilMasterAsync(RedisServer replica, long since)
    {
        await Wait.UntilAsync(
            async () => (await replica.AskAsync("ROLE").ConfigureAwait(false))?.StartsWith("master", StringComparison.Ordinal) ?? false,
            "the promotion of the replica").ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(since);
    }
}
