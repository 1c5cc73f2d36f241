using Larder.Lab.Fleet;

namespace Larder.Lab.Near;

/// <summary>
/// Two gateways to a Redis Cluster of three masters without replicas. Failovers are not part of a run, because they may lose acknowledged writes (FLEET-9).
/// </summary>
internal sealed class NearFleet : INearServers
{
    private const int Gateways = 2;

    private readonly FleetCluster _cluster;
    private readonly List<FleetGateway> _gateways = [];

    private NearFleet(FleetCluster cluster) => _cluster = cluster;

    /// <inheritdoc/>
    public string Name => "two gateways in front of a Redis Cluster with three masters";

    /// <inheritdoc/>
    public bool Forgets => false;

    /// <summary>Starts the fleet and waits until both gateways have connected to the cluster.</summary>
    public static async Task<NearFleet> StartAsync()
    {
        NearFleet fleet = new(await FleetCluster.StartAsync(replicas: 0).ConfigureAwait(false));
        try
        {
            for (int gateway = 0; gateway < Gateways; gateway++)
            {
                fleet._gateways.Add(await FleetGateway.StartAsync(fleet._cluster.Url).ConfigureAwait(false));
                await fleet._gateways[gateway].UntilReadyAsync().ConfigureAwait(false);
            }

            return fleet;
        }
        catch
        {
            await fleet.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> EndpointsOf(bool writes) => [.. _gateways.Select(static gateway => gateway.Endpoint)];

    /// <inheritdoc/>
    public async Task RestartAsync(int server)
    {
        _gateways[server].Kill();
        await _gateways[server].RestartAsync().ConfigureAwait(false);
        await _gateways[server].UntilReadyAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Pause(int server) => _gateways[server].Pause();

    /// <inheritdoc/>
    public void Resume(int server) => _gateways[server].Resume();

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (FleetGateway gateway in _gateways)
        {
            await gateway.DisposeAsync().ConfigureAwait(false);
        }

        _cluster.Dispose();
    }
}
