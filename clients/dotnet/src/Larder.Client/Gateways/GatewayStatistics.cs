namespace Larder.Client;

/// <summary>The state of one gateway in a client at one moment (GATEWAY-13).</summary>
public sealed record GatewayStatistics
{
    /// <summary>
    /// Gets the address: scheme, host and port. If its name has several addresses, the resolved one follows: <c>http://cache:8080/ (10.0.0.1)</c>.
    /// </summary>
    public required string Address { get; init; }

    /// <summary>Gets the number of open connections.</summary>
    public required int Connections { get; init; }

    /// <summary>Gets the number of calls on these connections, including abandoned ones that are not answered yet.</summary>
    public required int InFlight { get; init; }

    /// <summary>
    /// Gets whether the gateway is out of rotation because it has no usable connection. After the first call the client reconnects in the background.
    /// </summary>
    public required bool IsLeftOut { get; init; }
}
