namespace Larder.Harness.Servers;

/// <summary>A process of a fleet.</summary>
/// <param name="Address">A front's URL; of a server of Redis <c>host:port</c>.</param>
/// <param name="Console">A front's console; null for a server of Redis.</param>
/// <param name="Id">Its process.</param>
public sealed record FleetMember(string Address, Uri? Console, int Id);
