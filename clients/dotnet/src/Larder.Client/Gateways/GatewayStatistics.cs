namespace Larder.Client;

/// <summary>A snapshot of the state of one gateway of a client (GATEWAY-13).</summary>
public sealed record GatewayStatistics
{
    /// <summary>
    /// Gets the address: scheme, host and port. If the host name resolves to several addresses, the resolved address of this gateway follows:
    /// <c>http://cache:8080/ (10.0.0.1)</c>.
    /// </summary>
    public required string Address { get; init; }

    /// <summary>Gets the number of open connections to the gateway.</summary>
    public required int Connections { get; init; }

    /// <summary>Gets the number of calls in flight to the gateway, including abandoned calls whose response has not arrived yet.</summary>
    public required int InFlight { get; init; }

    /// <summary>
    /// Gets whether the gateway is out of rotation because it has no usable connection. After the first call, the client connects such gateways in the
    /// background.
    /// </summary>
    public required bool IsLeftOut { get; init; }
}
