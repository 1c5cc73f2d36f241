using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;
using StackExchange.Redis;

namespace Larder.Tuner.Peers;

/// <summary>StackExchange.Redis, used as its manual recommends: one multiplexer and its asynchronous calls.</summary>
internal sealed class RedisPeer(ConnectionMultiplexer redis, string name) : PeerClient, IAgentClient, ILoadTarget
{
    private readonly IDatabase _database = redis.GetDatabase();

    /// <inheritdoc/>
    public override ILoadTarget Target => this;

    /// <inheritdoc/>
    public ILoadTarget TargetOf(LoadCalls calls) => calls switch
    {
        LoadCalls.Fields => new RedisFields(_database),
        LoadCalls.Queues => new RedisQueues(_database),
        LoadCalls.Ranks => new RedisRanks(_database),
        _ => this,
    };

    /// <summary>
    /// Gets the number of connections for commands: one to each node. StackExchange.Redis also opens connections for subscriptions, which are not used.
    /// </summary>
    public override int? Connections => redis.GetEndPoints().Length;

    /// <summary>
    /// Connects to the endpoint of an <c>open</c> request. For a cluster, the endpoint is a comma-separated list of nodes. The field <c>tls</c> enables TLS.
    /// </summary>
    public static async Task<IAgentClient> OpenAsync(string name, JsonElement request)
    {
        string endpoint = request.Text("endpoint") ?? throw new AgentException("endpoint is missing");
        int timeoutMs = (int)(request.Number("requestTimeoutMs") ?? 5000);
        var options = ConfigurationOptions.Parse($"{endpoint},syncTimeout={timeoutMs}");
        options.Ssl = request.Flag("tls", false);
        options.SslHost = "localhost";
        if (request.Text("caFile") is { } file)
        {
            string trusted = X509CertificateLoader.LoadCertificateFromFile(file).Thumbprint;
            options.CertificateValidation += (_, shown, _, _) => shown is X509Certificate2 certificate && certificate.Thumbprint == trusted;
        }

        ConnectionMultiplexer redis = await ConnectionMultiplexer.ConnectAsync(options).ConfigureAwait(false);
        return new RedisPeer(redis, name);
    }

    /// <inheritdoc/>
    public override JsonObject Describe() => new()
    {
        ["client"] = name,
        ["version"] = typeof(ConnectionMultiplexer).Assembly.GetName().Version?.ToString(),
        ["runtime"] = System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription,
        ["transport"] = "resp",
        ["maxInFlight"] = "off",
        ["channels"] = Connections,
    };

    /// <inheritdoc/>
    public async Task RunAsync(LoadCaller caller)
    {
        while (await caller.NextAsync().ConfigureAwait(false))
        {
            try
            {
                if (!caller.IsRead)
                {
                    await _database.StringSetAsync(caller.Key, caller.Value, caller.Ttl).ConfigureAwait(false);
                    caller.Stored();
                }
                else if ((byte[]?)await _database.StringGetAsync(caller.Key).ConfigureAwait(false) is { } value)
                {
                    caller.Hit(value);
                }
                else
                {
                    caller.Miss();
                }
            }
            catch (Exception failed) when (failed is RedisException or TimeoutException)
            {
                await caller.FailedAsync(failed.GetType().Name).ConfigureAwait(false);
            }
        }
    }

    /// <inheritdoc/>
    public async Task<string?> SetAsync(byte[] key, byte[] value, TimeSpan ttl)
    {
        try
        {
            await _database.StringSetAsync(key, value, ttl).ConfigureAwait(false);
            return null;
        }
        catch (Exception failed) when (failed is RedisException or TimeoutException)
        {
            return failed.Message;
        }
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await redis.CloseAsync().ConfigureAwait(false);
        redis.Dispose();
    }
}
