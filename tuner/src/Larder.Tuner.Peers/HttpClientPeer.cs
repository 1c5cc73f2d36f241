using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;
using Larder.Protocol;

namespace Larder.Tuner.Peers;

/// <summary>
/// The baseline for the unary transport: one <see cref="HttpClient"/> call per request, as in a simple first implementation. The handler has its default
/// settings, except that it may open additional HTTP/2 connections. As in the Larder client, the address is cached, messages use generated code, and each call
/// sends its deadline. There is no concurrency limit and no retry. The field <c>channels</c> sets the number of <c>HttpClient</c> objects with one connection
/// each, which are used in round-robin order.
/// </summary>
internal sealed class HttpClientPeer : PeerClient, ILoadTarget
{
    private const int MaxChannels = 100;

    private readonly HttpClient[] _channels;
    private readonly int? _asked;
    private readonly GrpcShape _get;
    private readonly GrpcShape _set;
    private int _next;

    private HttpClientPeer(string endpoint, string cache, TimeSpan timeout, int? channels)
    {
        _asked = channels;
        _channels =
        [
            .. Enumerable.Range(0, channels ?? 1)
                .Select(_ => new HttpClient(new SocketsHttpHandler { EnableMultipleHttp2Connections = channels is null }) { Timeout = timeout }),
        ];
        _get = new GrpcShape(new Uri($"http://{endpoint}/cache_client.Scs/Get"), cache, timeout);
        _set = new GrpcShape(new Uri($"http://{endpoint}/cache_client.Scs/Set"), cache, timeout);
    }

    /// <inheritdoc/>
    public override ILoadTarget Target => this;

    /// <summary>Gets null, because the handler does not know the number of connections. The server's <c>/stats</c> reports it.</summary>
    public override int? Connections => null;

    /// <summary>Creates the client for an <c>open</c> request.</summary>
    public static Task<IAgentClient> OpenAsync(JsonElement request)
    {
        string endpoint = request.Text("endpoint") ?? throw new AgentException("endpoint is missing");
        var timeout = TimeSpan.FromMilliseconds(request.Number("requestTimeoutMs") ?? 5000);
        double? channels = request.Number("channels");
        return channels is null or (>= 1 and <= MaxChannels)
            ? Task.FromResult<IAgentClient>(new HttpClientPeer(endpoint, request.Text("cache") ?? "cache", timeout, (int?)channels))
            : throw new AgentException($"channels must be 1 to {MaxChannels}, but is {channels}");
    }

    /// <inheritdoc/>
    public override JsonObject Describe() => new()
    {
        ["client"] = "httpclient",
        ["version"] = Environment.Version.ToString(),
        ["runtime"] = System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription,
        ["transport"] = "unary",
        ["maxInFlight"] = "off",
        ["channels"] = _asked,
    };

    /// <inheritdoc/>
    public async Task RunAsync(LoadCaller caller)
    {
        while (await caller.NextAsync().ConfigureAwait(false))
        {
            try
            {
                await (caller.IsRead ? GetAsync(caller) : SetAsync(caller)).ConfigureAwait(false);
            }
            catch (Exception failed) when (failed is HttpRequestException or TaskCanceledException or GrpcStatusException)
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
            await _set.CallAsync(Channel(), SetRequestOf(key, value, ttl), SetResponse.Parser).ConfigureAwait(false);
            return null;
        }
        catch (Exception failed) when (failed is HttpRequestException or TaskCanceledException or GrpcStatusException)
        {
            return failed.Message;
        }
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        foreach (HttpClient channel in _channels)
        {
            channel.Dispose();
        }

        return ValueTask.CompletedTask;
    }

    private static SetRequest SetRequestOf(byte[] key, byte[] value, TimeSpan ttl) => new()
    {
        Key = Google.Protobuf.UnsafeByteOperations.UnsafeWrap(key),
        Value = Google.Protobuf.UnsafeByteOperations.UnsafeWrap(value),
        TtlMs = (ulong)ttl.TotalMilliseconds,
    };

    private HttpClient Channel() => _channels.Length == 1 ? _channels[0] : _channels[(uint)Interlocked.Increment(ref _next) % _channels.Length];

    private async Task GetAsync(LoadCaller caller)
    {
        var request = new GetRequest { Key = Google.Protobuf.UnsafeByteOperations.UnsafeWrap(caller.Key) };
        GetResponse response = await _get.CallAsync(Channel(), request, GetResponse.Parser).ConfigureAwait(false);
        if (response.Result == CacheResult.Hit)
        {
            caller.Hit(response.Value.Span);
        }
        else
        {
            caller.Miss();
        }
    }

    private async Task SetAsync(LoadCaller caller)
    {
        await _set.CallAsync(Channel(), SetRequestOf(caller.Key, caller.Value, caller.Ttl), SetResponse.Parser).ConfigureAwait(false);
        caller.Stored();
    }
}
