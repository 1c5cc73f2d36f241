namespace Larder.Tuner.Tune.UnderTest;

/// <summary>Which client is under test: one of ours with a transport and so many channels, or a peer.</summary>
/// <param name="Client"><c>dotnet python node</c>, or a peer: <c>redis httpclient redis-py grpcio ioredis node-redis valkey-glide grpc-js</c>.</param>
/// <param name="Transport"><c>pipeline unary auto</c>; empty for a peer.</param>
/// <param name="Channels">Least number of channels; null leaves it to the configuration.</param>
/// <param name="Setting">A setting that is compared, such as <c>pool=off</c> or <c>loop=asyncio</c>; null for none.</param>
internal sealed record ClientVariant(string Client, string Transport, int? Channels = null, string? Setting = null)
{
    private static readonly string[] s_clients = ["dotnet", "python", "node"];

    /// <summary>Whether it is not ours.</summary>
    public bool IsPeer => !s_clients.Contains(Client);

    /// <summary>Whether the runtime runs its client on one thread.</summary>
    public bool OneThread => Client is not ("dotnet" or "redis" or "httpclient");

    /// <summary>Whether each call is a stream of its own.</summary>
    public bool OneStreamPerCall => Transport == "unary" || Client is "httpclient" or "grpcio" or "grpc-js";

    /// <inheritdoc/>
    public override string ToString() =>
        string.Join(' ', new[] { Client, Transport, Channels is { } channels ? $"{channels} channels" : "", Setting ?? "" }.Where(part => part.Length > 0));
}
