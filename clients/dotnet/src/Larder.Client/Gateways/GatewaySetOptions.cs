using System.Net;
using Larder.Wire.Sockets;

namespace Larder.Client.Gateways;

/// <summary>The options of a <see cref="GatewaySet"/>.</summary>
internal sealed record GatewaySetOptions
{
    /// <summary>Gets the configured addresses of the gateways.</summary>
    public required IReadOnlyList<GatewayAddress> Addresses { get; init; }

    /// <summary>
    /// Gets the function that creates a gateway's transport. The transport connects to the host name, or to one resolved address if the second argument is not
    /// null.
    /// </summary>
    public required Func<GatewayAddress, IPAddress?, IGatewayTransport> Connect { get; init; }

    /// <summary>Gets the maximum time that a gateway stays out of rotation: <see cref="Configuration.MaxBackOff"/>.</summary>
    public required TimeSpan LongestWait { get; init; }

    /// <summary>Gets the maximum time to wait for the responses of outstanding calls before a removed gateway is closed.</summary>
    public required TimeSpan CallTimeout { get; init; }

    /// <summary>Gets the function that returns a random number in [0, 1). It must be thread-safe.</summary>
    public Func<double> Random { get; init; } = System.Random.Shared.NextDouble;

    /// <summary>Gets the function that resolves a host name to addresses.</summary>
    public Func<string, CancellationToken, Task<IPAddress[]>> Resolve { get; init; } = HostNames.ResolveAsync;

    /// <summary>Gets the interval at which names are resolved again (GATEWAY-11). The default is 30 s.</summary>
    public TimeSpan ResolveEvery { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets the minimum time between two resolutions. It applies regardless of how many gateways fail. The default is 1 s.</summary>
    public TimeSpan ResolvePause { get; init; } = TimeSpan.FromSeconds(1);
}
