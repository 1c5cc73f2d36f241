using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using System.Text.Json.Nodes;
using Google.Protobuf;
using Grpc.Core;
using Grpc.Net.Client;
using Larder.Agent;
using Larder.Protocol;

namespace Larder.Tuner.Peers;

/// <summary>
/// Grpc.Net.Client with generated clients, used as its guide recommends for many calls: one channel that may open additional HTTP/2 connections. Each call
/// sends its deadline. There is no concurrency limit and no retry. The field <c>channels</c> sets the number of channels with one connection each, which are
/// used in round-robin order.
/// </summary>
internal sealed class GrpcDotnetPeer : PeerClient, ILoadTarget
{
    private const int MaxChannels = 100;

    private readonly string _name;
    private readonly GrpcChannel[] _channels;
    private readonly Scs.ScsClient[] _clients;
    private readonly int? _asked;
    private readonly Metadata _headers;
    private readonly TimeSpan _timeout;
    private int _next;

    private GrpcDotnetPeer(string name, Uri server, string cache, TimeSpan timeout, int? channels, string? authorityFile)
    {
        (_name, _asked, _timeout) = (name, channels, timeout);
        _headers = new Metadata { { "cache", cache } };
        _channels = [.. Enumerable.Range(0, channels ?? 1).Select(_ => Open(server, channels is null, authorityFile))];
        _clients = [.. _channels.Select(static channel => new Scs.ScsClient(channel))];
    }

    /// <inheritdoc/>
    public override ILoadTarget Target => this;

    /// <summary>Gets null, because a channel does not know the number of its connections. The server's <c>/stats</c> reports it.</summary>
    public override int? Connections => null;

    /// <summary>Creates the client for an <c>open</c> request. The field <c>tls</c> enables TLS.</summary>
    public static Task<IAgentClient> OpenAsync(string name, JsonElement request)
    {
        string endpoint = request.Text("endpoint") ?? throw new AgentException("endpoint is missing");
        var timeout = TimeSpan.FromMilliseconds(request.Number("requestTimeoutMs") ?? 5000);
        double? channels = request.Number("channels");
        var server = new Uri($"{(request.Flag("tls", false) ? "https" : "http")}://{endpoint}");
        return channels is null or (>= 1 and <= MaxChannels)
            ? Task.FromResult<IAgentClient>(
                new GrpcDotnetPeer(name, server, request.Text("cache") ?? "cache", timeout, (int?)channels, request.Text("caFile")))
            : throw new AgentException($"channels must be 1 to {MaxChannels}, but is {channels}");
    }

    /// <inheritdoc/>
    public override JsonObject Describe() => new()
    {
        ["client"] = _name,
        ["version"] = typeof(GrpcChannel).Assembly.GetName().Version?.ToString(),
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
            catch (RpcException failed)
            {
                await caller.FailedAsync(failed.StatusCode.ToString()).ConfigureAwait(false);
            }
        }
    }

    /// <inheritdoc/>
    public async Task<string?> SetAsync(byte[] key, byte[] value, TimeSpan ttl)
    {
        try
        {
            await Client().SetAsync(SetRequestOf(key, value, ttl), Options()).ConfigureAwait(false);
            return null;
        }
        catch (RpcException failed)
        {
            return failed.Message;
        }
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        foreach (GrpcChannel channel in _channels)
        {
            channel.Dispose();
        }

        return ValueTask.CompletedTask;
    }

    private static GrpcChannel Open(Uri server, bool openMore, string? authorityFile)
    {
        var handler = new SocketsHttpHandler { EnableMultipleHttp2Connections = openMore };
        if (authorityFile is not null)
        {
            string trusted = X509CertificateLoader.LoadCertificateFromFile(authorityFile).Thumbprint;
            handler.SslOptions.RemoteCertificateValidationCallback = (_, shown, _, _) =>
                shown is X509Certificate2 certificate && certificate.Thumbprint == trusted;
        }

        return GrpcChannel.ForAddress(server, new GrpcChannelOptions { HttpHandler = handler, DisposeHttpClient = true });
    }

    private static SetRequest SetRequestOf(byte[] key, byte[] value, TimeSpan ttl) => new()
    {
        Key = UnsafeByteOperations.UnsafeWrap(key),
        Value = UnsafeByteOperations.UnsafeWrap(value),
        TtlMs = (ulong)ttl.TotalMilliseconds,
    };

    private CallOptions Options() => new(_headers, DateTime.UtcNow + _timeout);

    private Scs.ScsClient Client() => _clients.Length == 1 ? _clients[0] : _clients[(uint)Interlocked.Increment(ref _next) % _clients.Length];

    private async Task GetAsync(LoadCaller caller)
    {
        var request = new GetRequest { Key = UnsafeByteOperations.UnsafeWrap(caller.Key) };
        GetResponse response = await Client().GetAsync(request, Options()).ConfigureAwait(false);
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
        await Client().SetAsync(SetRequestOf(caller.Key, caller.Value, caller.Ttl), Options()).ConfigureAwait(false);
        caller.Stored();
    }
}
