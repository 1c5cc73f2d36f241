using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;
using Larder.Client;
using Larder.Lab.Peers.Attacks;

namespace Larder.Lab.Peers.Neighbours;

/// <summary>
/// An agent with Larder's client that can write and read large values in addition to its load. <c>largeBegin</c> starts these writes and reads. <c>largeEnd</c>
/// stops them and returns the number of values.
/// </summary>
internal sealed class LargeValueClient(CacheClient client, Cache cache) : IAgentClient
{
    private LargeValues? _large;

    /// <inheritdoc/>
    public ILoadTarget Target { get; } = new LoadLarder(cache);

    /// <inheritdoc/>
    public int? Connections => client.Connections;

    /// <summary>Creates the client of an <c>open</c> request.</summary>
    public static async Task<IAgentClient> OpenAsync(JsonElement request)
    {
        CacheClient client = await CacheClient
            .CreateAsync(AgentConfiguration.From(request), Credentials(request), TimeSpan.FromMinutes(10))
            .ConfigureAwait(false);
        return new LargeValueClient(client, client.Cache(request.Text("cache") ?? "cache"));
    }

    // In addition to the fields of every agent, a client certificate may be specified.
    private static CredentialProvider Credentials(JsonElement request)
    {
        CredentialProvider credentials = AgentConfiguration.Credentials(request);
        return SecureClient.From(request) is { CertificateFile: not null } secure ? credentials.WithTls(secure.Options()) : credentials;
    }

    /// <inheritdoc/>
    public JsonObject Describe() => new() { ["client"] = "dotnet", ["transport"] = JsonNamingPolicy.CamelCase.ConvertName(client.TransportInUse.ToString()) };

    /// <inheritdoc/>
    public void AddStats(JsonObject stats) => stats["inFlight"] = client.InFlight;

    /// <inheritdoc/>
    public async Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation)
    {
        if (op == "largeBegin" && _large is null)
        {
            _large = new LargeValues(cache);
            return AgentAnswer.Result("success");
        }

        if (op != "largeEnd" || Interlocked.Exchange(ref _large, null) is not { } large)
        {
            throw AgentException.Unsupported(op);
        }

        await large.DisposeAsync().ConfigureAwait(false);
        return new JsonObject { ["result"] = "success", ["count"] = large.Count, ["failures"] = large.Failures, ["slowestMs"] = large.SlowestMs };
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _large, null) is { } large)
        {
            await large.DisposeAsync().ConfigureAwait(false);
        }

        await client.DisposeAsync().ConfigureAwait(false);
    }
}
