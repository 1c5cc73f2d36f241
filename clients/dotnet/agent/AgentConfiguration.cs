using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Larder.Client;

namespace Larder.Agent;

/// <summary>Reads an <c>open</c> request into the client's own settings. See <c>conformance/AGENT.md</c>, "open".</summary>
internal static class AgentConfiguration
{
    /// <summary>The configuration it names, with what it overrides.</summary>
    /// <exception cref="AgentException">It names none, or a field has no meaning.</exception>
    public static Configuration From(JsonElement request)
    {
        var basis = Named(request.Text("configuration") ?? "laptop");
        var cap = CapOf(request);
        return basis with
        {
            Transport = TransportOf(request, basis.Transport),
            MaxInFlight = cap ?? basis.MaxInFlight,
            MaxInFlightPipelined = cap ?? basis.MaxInFlightPipelined,
            AdaptiveTarget = request.Number("adaptiveTargetMs") is { } targetMs ? TimeSpan.FromMilliseconds(targetMs) : basis.AdaptiveTarget,
            QueueLimit = (int)(request.Number("queueLimit") ?? basis.QueueLimit),
            Channels = (int)(request.Number("channels") ?? basis.Channels),
            MaxRetries = (int)(request.Number("maxRetries") ?? basis.MaxRetries),
            RequestTimeout = request.Number("requestTimeoutMs") is { } timeoutMs ? TimeSpan.FromMilliseconds(timeoutMs) : basis.RequestTimeout,
            Headers = request.TryGetProperty("headers", out var headers) ? headers.EnumerateObject().ToDictionary(header => header.Name, header => header.Value.GetString()!) : basis.Headers,
            EagerConnect = request.Flag("eagerConnect", true),
        };
    }

    /// <summary>The server's address and the token.</summary>
    public static CredentialProvider Credentials(JsonElement request)
    {
        var endpoint = request.Text("endpoint") ?? throw new AgentException("endpoint is missing");
        var address = new Uri("tcp://" + endpoint);
        var caFile = request.Text("caFile");
        var credentials = CredentialProvider.FromEndpoint(address.Host, address.Port, request.Text("token"), request.Flag("tls", caFile is not null));
        return caFile is null ? credentials : credentials.Trusting(Authorities(caFile));
    }

    private static Configuration Named(string name) => name switch
    {
        "laptop" => Configurations.Laptop.Latest(),
        "laptop.v1" => Configurations.Laptop.V1(),
        "inRegion.default" => Configurations.InRegion.Default.Latest(),
        "inRegion.default.v1" => Configurations.InRegion.Default.V1(),
        "inRegion.lowLatency" => Configurations.InRegion.LowLatency.Latest(),
        "inRegion.lowLatency.v1" => Configurations.InRegion.LowLatency.V1(),
        "lambda" => Configurations.Lambda.Latest(),
        "lambda.v1" => Configurations.Lambda.V1(),
        _ => throw new AgentException($"there is no configuration \"{name}\""),
    };

    private static Transport TransportOf(JsonElement request, Transport otherwise) => request.Text("transport") switch
    {
        null => otherwise,
        "auto" => Transport.Auto,
        "unary" => Transport.Unary,
        "pipeline" => Transport.Pipeline,
        var name => throw new AgentException($"there is no transport \"{name}\""),
    };

    private static int? CapOf(JsonElement request) =>
        request.Text("maxInFlight") == "off" ? Configuration.Unlimited : (int?)request.Number("maxInFlight");

    private static X509Certificate2Collection Authorities(string file)
    {
        var authorities = new X509Certificate2Collection();
        authorities.ImportFromPemFile(file);
        return authorities;
    }
}
