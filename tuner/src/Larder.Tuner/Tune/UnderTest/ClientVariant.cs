namespace Larder.Tuner.Tune.UnderTest;

/// <summary>Identifies a client under test: a Larder client with a transport and a number of channels, or a peer.</summary>
/// <param name="Client">The name of the Larder client (<c>dotnet</c>, <c>python</c> or <c>node</c>) or of the peer (such as <c>redis</c>).</param>
/// <param name="Transport">The transport: <c>pipeline</c>, <c>unary</c> or <c>auto</c>. Empty for a peer.</param>
/// <param name="Channels">The minimum number of channels, or null for the configuration's default.</param>
/// <param name="Setting">A setting that is compared, such as <c>pool=off</c> or <c>loop=asyncio</c>, or null.</param>
internal sealed record ClientVariant(string Client, string Transport, int? Channels = null, string? Setting = null)
{
    private static readonly string[] s_clients = ["dotnet", "python", "node"];

    public bool IsPeer => !s_clients.Contains(Client);

    /// <summary>Gets whether the runtime runs the client on one thread.</summary>
    public bool OneThread => Client is not ("dotnet" or "redis" or "garnet" or "grpc-dotnet" or "grpc-aspnetcore");

    /// <summary>Gets whether each call uses its own stream.</summary>
    public bool OneStreamPerCall => Transport == "unary" || Client is "grpc-dotnet" or "grpc-aspnetcore" or "grpcio" or "grpc-js";

    /// <inheritdoc/>
    public override string ToString() =>
        string.Join(' ', new[] { Client, Transport, Channels is { } channels ? $"{channels} channels" : "", Setting ?? "" }.Where(part => part.Length > 0));
}
