using System.Net;
using Larder.Wire.Sockets;

namespace Larder.Client.Gateways;

/// <summary>The options of a <see cref="GatewaySet"/>.</summary>
internal sealed record GatewaySetOptions
{
    /// <summary>Gets the gateways as configured.</summary>
    public required IReadOnlyList<GatewayAddress> Addresses { get; init; }

    /// <summary>Creates a gateway's transport, to its host name or to one resolved address.</summary>
    public required Func<GatewayAddress, IPAddress?, IGatewayTransport> Connect { get; init; }

    /// <summary>Gets the maximum time that a gateway stays out of rotation: <see cref="Configuration.MaxBackOff"/>.</summary>
    public required TimeSpan LongestWait { get; init; }

    /// <summary>Gets the maximum time to wait for the outstanding calls of a gateway whose address was removed.</summary>
    public required TimeSpan CallTimeout { get; init; }

    /// <summary>Returns a random number in [0, 1). Must be thread-safe.</summary>
    public Func<double> Random { get; init; } = System.Random.Shared.NextDouble;

    /// <summary>Resolves a host name.</summary>
    public Func<string, CancellationToken, Task<IPAddress[]>> Resolve { get; init; } = HostNames.ResolveAsync;

    /// <summary>Gets how often names are resolved again (GATEWAY-11). The default is 30 s.</summary>
    public TimeSpan ResolveEvery { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets the minimum time between two resolutions, however many gateways fail. The default is 1 s.</summary>
    public TimeSpan ResolvePause { get; init; } = TimeSpan.FromSeconds(1);
}
