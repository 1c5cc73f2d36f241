using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>
/// Converts the configuration fields of requests into the client's configuration. See <c>conformance/AGENT.md</c>, "open" and "configuration".
/// </summary>
internal static class AgentConfiguration
{
    private static readonly string[] OfOpen =
        ["transport", "adaptiveTargetMs", "queueLimit", "channels", "pipelineConnections", "maxRetries", "requestTimeoutMs", "headers", "eagerConnect"];

    /// <summary>Returns the configuration that an <c>open</c> request names, changed by the settings in the request.</summary>
    /// <exception cref="AgentException">The configuration's name is unknown.</exception>
    /// <exception cref="ArgumentException">A field is invalid.</exception>
    public static Configuration From(JsonElement request)
    {
        Configuration configuration = Named(request) with { EagerConnect = true };
        foreach (JsonProperty field in request.EnumerateObject().Where(field => OfOpen.Contains(field.Name) && field.Value.ValueKind != JsonValueKind.Null))
        {
            configuration = AgentSettings.Change(configuration, field.Name, field.Value);
        }

        if (request.Long("nearCacheBytes") is { } bytes and > 0)
        {
            configuration = configuration with { NearCache = new NearCache { MaxBytes = bytes } };
        }

        return request.TryGetProperty("maxInFlight", out JsonElement cap) && cap.ValueKind != JsonValueKind.Null
            ? AgentSettings.Change(AgentSettings.Change(configuration, "maxInFlightUnary", cap), "maxInFlightPipeline", cap)
            : configuration;
    }

    /// <summary>Creates a client with the requested configuration. Returns all settings of the configuration, or the error if the client rejects it.</summary>
    /// <exception cref="AgentException">The configuration's name is unknown.</exception>
    public static async Task<JsonObject> TellAsync(JsonElement request)
    {
        Configuration configuration = Named(request);
        try
        {
            if (request.TryGetProperty("settings", out JsonElement settings))
            {
                configuration = settings.EnumerateObject().Aggregate(configuration, (changed, one) => AgentSettings.Change(changed, one.Name, one.Value));
            }

            CacheClient client = new(configuration, CredentialProvider.Local(), TimeSpan.FromMinutes(1));
            await client.DisposeAsync().ConfigureAwait(false);
            return AgentAnswer.Result("success").With("settings", AgentSettings.Tell(client.Configuration));
        }
        catch (ArgumentException refused)
        {
            return AgentHost.Error(nameof(CacheErrorCode.InvalidArgument), refused.Message, null);
        }
    }

    /// <summary>Returns the server's address and the token.</summary>
    public static CredentialProvider Credentials(JsonElement request)
    {
        string endpoint = request.Text("endpoint") ?? throw new AgentException("endpoint is missing");
        if (endpoint.Contains(','))
        {
            return CredentialProvider.FromString(string.Join(',', endpoint.Split(',').Select(static gateway => $"http://{gateway}")));
        }

        var address = new Uri("tcp://" + endpoint);
        string? caFile = request.Text("caFile");
        var credentials = CredentialProvider.FromEndpoint(address.Host, address.Port, request.Text("token"), request.Flag("tls", caFile is not null));
        return caFile is null ? credentials : credentials.Trusting(Authorities(caFile));
    }

    private static Configuration Named(JsonElement request) => (request.Text("configuration") ?? "laptop") switch
    {
        "laptop" => Configurations.Laptop.Latest(),
        "laptop.v1" => Configurations.Laptop.V1(),
        "inRegion.default" => Configurations.InRegion.Default.Latest(),
        "inRegion.default.v1" => Configurations.InRegion.Default.V1(),
        "inRegion.lowLatency" => Configurations.InRegion.LowLatency.Latest(),
        "inRegion.lowLatency.v1" => Configurations.InRegion.LowLatency.V1(),
        "lambda" => Configurations.Lambda.Latest(),
        "lambda.v1" => Configurations.Lambda.V1(),
        string name => throw new AgentException($"unknown configuration \"{name}\""),
    };

    private static X509Certificate2Collection Authorities(string file)
    {
        var authorities = new X509Certificate2Collection();
        authorities.ImportFromPemFile(file);
        return authorities;
    }
}
