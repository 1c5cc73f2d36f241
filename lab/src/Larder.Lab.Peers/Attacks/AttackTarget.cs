using System.Net;
using System.Text.Json;
using Larder.Agent;
using Larder.Wire;

namespace Larder.Lab.Peers.Attacks;

/// <summary>The server that is attacked, and what the attacker has: two tokens for a cache of its own.</summary>
internal sealed record AttackTarget
{
    /// <summary>The server's data port.</summary>
    public required IPEndPoint Server { get; init; }

    /// <summary>The server's console; null if it is not attacked.</summary>
    public IPEndPoint? Console { get; init; }

    /// <summary>The attacker's cache: the neighbour uses another.</summary>
    public string Cache { get; init; } = "attacked";

    /// <summary>A token with the role readwrite in <see cref="Cache"/>, and for its topics; empty: none.</summary>
    public string Token { get; init; } = "";

    /// <summary>A token with the role read in <see cref="Cache"/>; empty: none.</summary>
    public string Reader { get; init; } = "";

    /// <summary>How the attacker connects: null for plaintext.</summary>
    public SecureClient? Secure { get; init; }

    /// <summary>Reads an <c>open</c> request.</summary>
    /// <exception cref="AgentException">A field is missing.</exception>
    public static AttackTarget From(JsonElement request) => new()
    {
        Server = IPEndPoint.Parse(request.Text("endpoint") ?? throw new AgentException("endpoint is missing")),
        Console = request.Text("console") is { } console ? IPEndPoint.Parse(console) : null,
        Token = request.Text("token") ?? "",
        Reader = request.Text("reader") ?? "",
        Secure = SecureClient.From(request),
    };

    /// <summary>The metadata of a call with a token in the attacker's cache.</summary>
    public RpcHeaders Headers(string token) => new(new("cache", Cache), new("authorization", token));
}
