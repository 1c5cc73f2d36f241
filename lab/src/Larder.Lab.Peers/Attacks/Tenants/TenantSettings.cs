using System.Text.Json;
using Larder.Agent;
using Larder.Wire;

namespace Larder.Lab.Peers.Attacks;

/// <summary>The addresses of the server and the tenant's credentials.</summary>
/// <param name="Endpoint">The data port, as <c>host:port</c>.</param>
/// <param name="Console">The console, as <c>host:port</c>.</param>
/// <param name="Token">A token with the role readwrite in <see cref="Cache"/> and for the topics of this cache.</param>
/// <param name="Reader">A token with the role read in <see cref="Cache"/>. A write with this token is denied and recorded in the audit log.</param>
/// <param name="Operator">A token with the role admin.</param>
/// <param name="Secure">The tenant's TLS settings; null for plaintext.</param>
internal sealed record TenantSettings(string Endpoint, string Console, string Token, string Reader, string Operator, SecureClient? Secure)
{
    /// <summary>The tenant's cache.</summary>
    public const string Cache = "cache";

    /// <summary>Parses an <c>open</c> request.</summary>
    /// <exception cref="AgentException">A field is missing.</exception>
    public static TenantSettings From(JsonElement request)
    {
        string Text(string field) => request.Text(field) ?? throw new AgentException($"the request has no \"{field}\"");
        return new(Text("endpoint"), Text("console"), Text("token"), Text("reader"), Text("operator"), SecureClient.From(request));
    }

    /// <summary>Opens a separate channel.</summary>
    public RpcChannel Open()
    {
        string scheme = Secure is null ? "http" : "https";
        return new RpcChannel(new RpcChannelOptions { Endpoint = new Uri($"{scheme}://{Endpoint}"), SslOptions = Secure?.SslOptions() });
    }

    /// <summary>Returns the metadata of a call with a token.</summary>
    public static RpcHeaders Headers(string token) => new(new("cache", Cache), new("authorization", token));
}
