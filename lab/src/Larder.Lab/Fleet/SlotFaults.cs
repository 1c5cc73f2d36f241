using System.Globalization;
using Larder.Harness.Redis;

namespace Larder.Lab.Fleet;

/// <summary>The scenarios S5c and S5d: slots are moved under load to another master, or to a new master and back.</summary>
internal static class SlotFaults
{
    /// <summary>S5c: <c>redis-cli --cluster reshard</c> moves slots, including those under load.</summary>
    public static Task<FaultResult> ReshardedAsync(FleetUnderTest fleet, int slots) => fleet.RunAsync(
        "S5c",
        async (master, load) =>
        {
            RedisServer to = (await fleet.Cluster.MastersAsync().ConfigureAwait(false)).First(other => other != master);
            await MoveAsync(master, to, slots).ConfigureAwait(false);
            await load.UntilAnsweredAsync().ConfigureAwait(false);
            return $"{slots} slots moved";
        },
        maySlotsFail: false,
        mayLose: false,
        slots);

    /// <summary>S5d: a node joins the cluster, receives slots, returns them, and leaves the cluster.</summary>
    public static Task<FaultResult> AddAndRemoveNodeAsync(FleetUnderTest fleet, int slots) => fleet.RunAsync(
        "S5d",
        async (master, load) =>
        {
            RedisServer added = fleet.Cluster.AddNode();
            await FleetCluster.RunCliAsync("add-node", added.Endpoint, master.Endpoint).ConfigureAwait(false);
            await fleet.Cluster.UntilHealthyAsync().ConfigureAwait(false);
            await MoveAsync(master, added, slots).ConfigureAwait(false);
            await load.UntilAnsweredAsync().ConfigureAwait(false);
            await MoveAsync(added, master, slots).ConfigureAwait(false);
            await FleetCluster.RunCliAsync("del-node", master.Endpoint, await FleetCluster.IdOfAsync(added).ConfigureAwait(false)).ConfigureAwait(false);
            fleet.Cluster.DropNode(added);
            await load.UntilAnsweredAsync().ConfigureAwait(false);
            return $"a node was added, {slots} slots were moved to it and back, and the node was removed";
        },
        maySlotsFail: false,
        mayLose: false,
        slots);

    /// <summary>Moves the first slots of one master to another master.</summary>
    public static async Task MoveAsync(RedisServer from, RedisServer to, int slots) => await FleetCluster.RunCliAsync(
        "reshard",
        from.Endpoint,
        "--cluster-from",
        await FleetCluster.IdOfAsync(from).ConfigureAwait(false),
        "--cluster-to",
        await FleetCluster.IdOfAsync(to).ConfigureAwait(false),
        "--cluster-slots",
        slots.ToString(CultureInfo.InvariantCulture)).ConfigureAwait(false);
}
