using System.Diagnostics;
using Larder.Client;
using Larder.Harness.Redis;

namespace Larder.Lab.Fleet;

/// <summary>A cluster of three masters with replicas, and two gateways, for the fault scenarios of docs/faults.md.</summary>
internal sealed class FleetUnderTest : IAsyncDisposable
{
    private const int Gateways = 2;
    private const int KeysOfEach = 12;

    // The deadline of calls, as in row S5h of docs/faults.md.
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(5);

    private readonly List<FleetGateway> _gateways = [];

    private FleetUnderTest(FleetCluster cluster) => Cluster = cluster;

    public FleetCluster Cluster { get; }

    public FleetGateway First => _gateways[0];

    public FleetGateway Second => _gateways[1];

    /// <summary>Starts the fleet and waits until the gateways have connected to the cluster.</summary>
    public static async Task<FleetUnderTest> StartAsync()
    {
        var fleet = new FleetUnderTest(await FleetCluster.StartAsync(replicas: 1).ConfigureAwait(false));
        try
        {
            for (int gateway = 0; gateway < Gateways; gateway++)
            {
                fleet._gateways.Add(await FleetGateway.StartAsync(fleet.Cluster.Url).ConfigureAwait(false));
            }

            await fleet.First.UntilReadyAsync().ConfigureAwait(false);
            await fleet.Second.UntilReadyAsync().ConfigureAwait(false);
            return fleet;
        }
        catch
        {
            await fleet.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Opens a client of the given gateways and connects it.</summary>
    public static async Task<CacheClient> ClientAsync(params string[] endpoints)
    {
        var client = new CacheClient(
            Configurations.Laptop.V1() with { RequestTimeout = s_deadline },
            CredentialProvider.FromString(string.Join(',', endpoints.Select(endpoint => $"http://{endpoint}"))),
            TimeSpan.FromHours(1));
        await client.ConnectAsync().ConfigureAwait(false);
        await UntilConnectedAsync(client).ConfigureAwait(false);
        return client;
    }

    /// <summary>Waits until a client has connections to each of its gateways.</summary>
    public static Task UntilConnectedAsync(CacheClient client) => Wait.UntilAsync(
        () => Task.FromResult(client.Gateways.All(static gateway => gateway is { IsLeftOut: false, Connections: > 0 })),
        "connections to all gateways");

    /// <summary>Opens a client of both gateways.</summary>
    public Task<CacheClient> ClientAsync() => ClientAsync(First.Endpoint, Second.Endpoint);

    /// <summary>
    /// Runs one load on the slots of one master, and another load on the slots of all other masters, while a fault is applied to the first master.
    /// </summary>
    /// <param name="row">The name of the row.</param>
    /// <param name="act">Applies the fault. Receives the master and its load. When the returned task completes, both loads are stopped.</param>
    /// <param name="maySlotsFail">Whether calls to the master's own slots may fail.</param>
    /// <param name="mayLose">Whether acknowledged writes may be lost.</param>
    /// <param name="slots">The number of the master's first slots that the keys may use.</param>
    public async Task<FaultResult> RunAsync(
        string row,
        Func<RedisServer, NumberedLoad, Task<string>> act,
        bool maySlotsFail,
        bool mayLose,
        int slots = KeySlot.Count)
    {
        IReadOnlyList<RedisServer> masters = await Cluster.MastersAsync().ConfigureAwait(false);
        RedisServer master = masters[0];
        await using CacheClient client = await ClientAsync().ConfigureAwait(false);
        var load = new NumberedLoad(client, Keys(row, await Cluster.TagsOfAsync(master, KeysOfEach, slots).ConfigureAwait(false)));
        List<string> elsewhere = [];
        foreach (RedisServer other in masters.Skip(1))
        {
            elsewhere.AddRange(await Cluster.TagsOfAsync(other, KeysOfEach / 2).ConfigureAwait(false));
        }

        var others = new NumberedLoad(client, Keys(row, elsewhere));
        await load.StartAsync().ConfigureAwait(false);
        await others.StartAsync().ConfigureAwait(false);
        long faultAt = Stopwatch.GetTimestamp();
        string seen = await act(master, load).ConfigureAwait(false);
        LoadCounts counts = await load.StopAsync(faultAt).ConfigureAwait(false);
        LoadCounts beside = await others.StopAsync(faultAt).ConfigureAwait(false);
        IEnumerable<string> brokenByOthers = Judge(beside, mayFail: false, mayLose: false).Select(what => $"calls to other slots: {what}");
        List<string> broken = [.. Judge(counts, maySlotsFail, mayLose), .. brokenByOthers];
        return new FaultResult(row, counts, beside, seen, broken);
    }

    /// <summary>Returns the requirements that a load violates.</summary>
    public static IEnumerable<string> Judge(LoadCounts counts, bool mayFail, bool mayLose)
    {
        if (!mayFail && counts.Failed > 0)
        {
            yield return $"failed calls: {counts.Failed} ({string.Join(", ", counts.Errors)})";
        }

        if (!mayLose && counts.Lost > 0)
        {
            yield return $"{counts.Lost} acknowledged writes lost";
        }

        if (counts.Stale + counts.Crossed > 0)
        {
            yield return $"{counts.Stale} reads of stale values and {counts.Crossed} reads of wrong values";
        }
    }

    /// <summary>Returns the keys of a row, one for each hash tag.</summary>
    public static IEnumerable<string> Keys(string row, IEnumerable<string> tags) => tags.Select(tag => $"{{{tag}}}{row}");

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (FleetGateway gateway in _gateways)
        {
            await gateway.DisposeAsync().ConfigureAwait(false);
        }

        Cluster.Dispose();
    }
}
