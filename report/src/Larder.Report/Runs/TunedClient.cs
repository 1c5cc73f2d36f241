namespace Larder.Report.Runs;

/// <summary>The client that was tuned, as reported by the agent that opened it.</summary>
internal sealed record TunedClient
{
    /// <summary>Gets the language: <c>dotnet</c>, <c>python</c> or <c>node</c>.</summary>
    public required string Language { get; init; }

    /// <summary>Gets the version of the client.</summary>
    public string Version { get; init; } = "";

    /// <summary>Gets the runtime, such as <c>.NET 10.0.1</c>.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>Gets the transport in effect: <c>unary</c> or <c>pipeline</c>.</summary>
    public required string Transport { get; init; }

    /// <summary>Gets the base configuration: <c>laptop</c>, <c>inRegion.default</c>, <c>inRegion.lowLatency</c> or <c>lambda</c>.</summary>
    public required string Configuration { get; init; }

    /// <summary>Gets the server: <c>host:port</c>, or <c>embedded</c> if the tuner started it on this machine.</summary>
    public string Server { get; init; } = "embedded";

    /// <summary>Gets the network between client and server, such as <c>loopback</c> or <c>30 ms ± 5 ms through the delay proxy</c>.</summary>
    public string Network { get; init; } = "loopback";
}
