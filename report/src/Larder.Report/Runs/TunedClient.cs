namespace Larder.Report.Runs;

/// <summary>The client that was tuned, as its agent said it when it was opened.</summary>
internal sealed record TunedClient
{
    /// <summary><c>dotnet python node</c>.</summary>
    public required string Language { get; init; }

    /// <summary>The client's version.</summary>
    public string Version { get; init; } = "";

    /// <summary>The runtime it ran in, such as <c>.NET 10.0.1</c>.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>The transport in effect: <c>unary pipeline</c>.</summary>
    public required string Transport { get; init; }

    /// <summary>The configuration it started from: <c>laptop inRegion.default inRegion.lowLatency lambda</c>.</summary>
    public required string Configuration { get; init; }

    /// <summary>The server: <c>host:port</c>, or <c>embedded</c> when the tuner started it on this machine.</summary>
    public string Server { get; init; } = "embedded";

    /// <summary>What lies between client and server, such as <c>loopback</c> or <c>30 ms ± 5 ms through the delay proxy</c>.</summary>
    public string Network { get; init; } = "loopback";
}
