namespace Larder.Harness.Servers;

/// <summary>A process of a fleet.</summary>
/// <param name="Address">The URL of a gateway, or <c>host:port</c> of a Redis server.</param>
/// <param name="Console">The console of a gateway; null for a Redis server.</param>
/// <param name="Id">The process id.</param>
public sealed record FleetMember(string Address, Uri? Console, int Id);
