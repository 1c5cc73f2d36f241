using System.Net.Http;
using System.Net.Security;

namespace Larder.Wire;

/// <summary>The HTTP stack of a channel: one connection, and none of what a browser would want.</summary>
internal static class ChannelHandler
{
    public static SocketsHttpHandler Create(RpcChannelOptions options) => new()
    {
        UseProxy = false,
        UseCookies = false,
        AllowAutoRedirect = false,
        ActivityHeadersPropagator = null,
        AutomaticDecompression = System.Net.DecompressionMethods.None,
        EnableMultipleHttp2Connections = false,
        PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
        PooledConnectionLifetime = Timeout.InfiniteTimeSpan,
        ConnectTimeout = options.ConnectTimeout,
        KeepAlivePingDelay = options.KeepAlivePingDelay,
        KeepAlivePingTimeout = options.KeepAlivePingTimeout,
        KeepAlivePingPolicy = options.KeepAliveWithoutCalls ? HttpKeepAlivePingPolicy.Always : HttpKeepAlivePingPolicy.WithActiveRequests,
        InitialHttp2StreamWindowSize = options.StreamWindowBytes,
        SslOptions = options.SslOptions ?? new SslClientAuthenticationOptions(),
    };
}
