using Larder.Lab.Fleet;

namespace Larder.Lab.Near;

/// <summary>
/// Two gateways to a Redis Cluster of three masters without replicas. Failovers are not part of a run, because they may lose acknowledged writes (FLEET-9).
/// </summary>
internal sealed class NearFleet : INearServers
{
    private const int Fronts = 2;

    private readonly FleetCluster _cluster;
    private readonly List<FleetFront> _fronts = [];

    private NearFleet(FleetCluster cluster) => _cluster = cluster;

    /// <inheritdoc/>
    public string Name => "two fronts before a Redis Cluster of three masters";

    /// <inheritdoc/>
    public bool Forgets => false;

    /// <summary>Starts the fleet and waits until both gateways have connected to the cluster.</summary>
    public static async Task<NearFleet> StartAsync()
    {
        NearFleet fleet = new(await FleetCluster.StartAsync(replicas: 0).ConfigureAwait(false));
        try
        {
            for (int front = 0; front < Fronts; front++)
            {
                fleet._fronts.Add(await FleetFront.StartAsync(fleet._cluster.Url).ConfigureAwait(false));
                await fleet._fronts[front].UntilReadyAsync().ConfigureAwait(false);
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
    public IReadOnlyList<string> EndpointsOf(bool writes) => [.. _fronts.Select(static front => front.Endpoint)];

    /// <inheritdoc/>
    public async Task RestartAsync(int server)
    {
        _fronts[server].Kill();
        await _fronts[server].RestartAsync().ConfigureAwait(false);
        await _fronts[server].UntilReadyAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Pause(int server) => _fronts[server].Pause();

    /// <inheritdoc/>
    public void Resume(int server) => _fronts[server].Resume();

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (FleetFront front in _fronts)
        {
            await front.DisposeAsync().ConfigureAwait(false);
        }

        _cluster.Dispose();
    }
}
