using System.Net;
using System.Text.Json;
using Larder.Agent;
using Larder.Wire;

namespace Larder.Lab.Peers.Attacks;

/// <summary>The attacked server, and the attacker's credentials: two tokens for the attacker's cache.</summary>
internal sealed record AttackTarget
{
    /// <summary>Gets the address of the server's data port.</summary>
    public required IPEndPoint Server { get; init; }

    /// <summary>Gets the address of the server's console; null if the console is not attacked.</summary>
    public IPEndPoint? Console { get; init; }

    /// <summary>Gets the attacker's cache, which the other tenants do not use.</summary>
    public string Cache { get; init; } = "attacked";

    /// <summary>Gets a token with the role readwrite in <see cref="Cache"/> and for the topics of this cache; empty for no token.</summary>
    public string Token { get; init; } = "";

    /// <summary>Gets a token with the role read in <see cref="Cache"/>; empty for no token.</summary>
    public string Reader { get; init; } = "";

    /// <summary>Gets the TLS settings with which the attacker connects; null for plaintext.</summary>
    public SecureClient? Secure { get; init; }

    /// <summary>Parses an <c>open</c> request.</summary>
    /// <exception cref="AgentException">A field is missing.</exception>
    public static AttackTarget From(JsonElement request) => new()
    {
        Server = IPEndPoint.Parse(request.Text("endpoint") ?? throw new AgentException("the request has no \"endpoint\"")),
        Console = request.Text("console") is { } console ? IPEndPoint.Parse(console) : null,
        Token = request.Text("token") ?? "",
        Reader = request.Text("reader") ?? "",
        Secure = SecureClient.From(request),
    };

    /// <summary>Returns the metadata of a call with a token in the attacker's cache.</summary>
    public RpcHeaders Headers(string token) => new(new("cache", Cache), new("authorization", token));
}
