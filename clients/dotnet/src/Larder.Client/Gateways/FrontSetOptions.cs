using System.Net;
using Larder.Wire.Sockets;

namespace Larder.Client.Fronts;

/// <summary>What a <see cref="FrontSet"/> works with.</summary>
internal sealed record FrontSetOptions
{
    /// <summary>The servers, as they were given.</summary>
    public required IReadOnlyList<FrontAddress> Addresses { get; init; }

    /// <summary>Makes a front's transport: to what its host is, or to one address of a name's.</summary>
    public required Func<FrontAddress, IPAddress?, IFrontTransport> Connect { get; init; }

    /// <summary>The longest time for which a front is set aside: <see cref="Configuration.MaxBackOff"/>.</summary>
    public required TimeSpan LongestWait { get; init; }

    /// <summary>The longest time for which the calls of a front whose address is gone are waited for.</summary>
    public required TimeSpan CallTimeout { get; init; }

    /// <summary>From 0 to below 1, from any thread.</summary>
    public Func<double> Random { get; init; } = System.Random.Shared.NextDouble;

    /// <summary>What a name resolves to.</summary>
    public Func<string, CancellationToken, Task<IPAddress[]>> Resolve { get; init; } = HostNames.ResolveAsync;

    /// <summary>How often names are resolved again (FRONT-11).</summary>
    public TimeSpan ResolveEvery { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The shortest time between two resolutions, however many fronts fail.</summary>
    public TimeSpan ResolvePause { get; init; } = TimeSpan.FromSeconds(1);
}
