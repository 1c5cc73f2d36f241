using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Larder.Wire;

/// <summary>Configures Kestrel for gRPC: HTTP/2 only, and each limit named.</summary>
public static class WireHosting
{
    /// <summary>Sets the limits of every endpoint of a server.</summary>
    public static void ConfigureForRpc(this KestrelServerOptions kestrel, WireHostingOptions options)
    {
        ArgumentNullException.ThrowIfNull(kestrel);
        ArgumentNullException.ThrowIfNull(options);
        kestrel.AddServerHeader = false;
        kestrel.AllowSynchronousIO = false;
        SetLimits(kestrel.Limits, options);
        SetHttp2Limits(kestrel.Limits.Http2, options);
    }

    /// <summary>Makes an endpoint speak HTTP/2 and nothing else.</summary>
    public static void UseRpc(this ListenOptions listen)
    {
        ArgumentNullException.ThrowIfNull(listen);
        listen.Protocols = HttpProtocols.Http2;
    }

    /// <summary>
    /// Ends connections that do not begin as HTTP/2 within <see cref="WireHostingOptions.RequestHeadersTimeout"/>, and those that flood the server
    /// with resets, settings, pings, continuations or empty data, and those whose reader takes nothing for <see cref="WireHostingOptions.ReaderGrace"/>. Called after <c>UseHttps</c>, where there is TLS: it must see plaintext.
    /// </summary>
    public static void UseConnectionGuard(this ListenOptions listen, WireHostingOptions options)
    {
        ArgumentNullException.ThrowIfNull(listen);
        ArgumentNullException.ThrowIfNull(options);
        listen.Use(next => new ConnectionGuard(next, TimeProvider.System, options).OnConnectionAsync);
    }

    private static void SetLimits(KestrelServerLimits limits, WireHostingOptions options)
    {
        limits.MaxConcurrentConnections = options.MaxConnections;
        // A message's size is limited by status, by the router; a limit here would reset the stream.
        limits.MaxRequestBodySize = null;
        limits.MaxResponseBufferSize = options.ResponseBufferBytes;
        limits.RequestHeadersTimeout = options.RequestHeadersTimeout;
        limits.KeepAliveTimeout = options.IdleTimeout;
        limits.MinRequestBodyDataRate = new MinDataRate(options.MinDataRateBytesPerSecond, options.DataRateGrace);
        limits.MinResponseDataRate = new MinDataRate(options.MinDataRateBytesPerSecond, options.DataRateGrace);
    }

    private static void SetHttp2Limits(Http2Limits limits, WireHostingOptions options)
    {
        limits.MaxStreamsPerConnection = options.MaxStreamsPerConnection;
        limits.InitialStreamWindowSize = options.WindowBytes;
        limits.InitialConnectionWindowSize = options.WindowBytes;
        limits.KeepAlivePingDelay = options.KeepAlivePingDelay;
        limits.KeepAlivePingTimeout = options.KeepAlivePingTimeout;
    }
}
