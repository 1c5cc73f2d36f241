using System.Net;
using System.Net.Security;
using Larder.Wire.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Wire;

/// <summary>The options of an <see cref="RpcChannel"/>.</summary>
public sealed record RpcChannelOptions
{
    /// <summary>Gets the server's endpoint: scheme (http for plaintext, https for TLS), host and port.</summary>
    public required Uri Endpoint { get; init; }

    /// <summary>
    /// Gets the IP address to connect to if the endpoint's host is a name. TLS and requests still use the name. The default is null, which means that the name
    /// is resolved.
    /// </summary>
    public IPAddress? Address { get; init; }

    /// <summary>Gets the maximum time for establishing a connection. The default is 5 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Gets the time for which a connection must be silent before it is pinged. The default is 5 s, the shortest interval that the protocol allows without
    /// calls. <see cref="Timeout.InfiniteTimeSpan"/> disables pings.
    /// </summary>
    public TimeSpan KeepAlivePingDelay { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Gets the time for which a ping may remain unanswered before the connection is closed. The default is 1 s.</summary>
    public TimeSpan KeepAlivePingTimeout { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Gets whether pings continue while there are no calls. The default is true, so that a dead connection is detected before the next call.
    /// </summary>
    public bool KeepAliveWithoutCalls { get; init; } = true;

    /// <summary>Gets the TLS options for https. By default, the system's options are used.</summary>
    public SslClientAuthenticationOptions? SslOptions { get; init; }

    /// <summary>Gets the maximum size of a message in a response, in bytes. The default is 11,010,048.</summary>
    public int MaxReceiveMessageBytes { get; init; } = MessageLimit.DefaultBytes;

    /// <summary>
    /// Gets whether requests announce that responses may be compressed with gzip. The default is false, because the announcement adds a header to every call,
    /// and Larder's server does not compress. Gzip responses are decoded in any case.
    /// </summary>
    public bool AcceptGzip { get; init; }

    /// <summary>
    /// Gets the flow-control window of a stream. This is the number of response bytes that may arrive before they are read. The default is 1 MB. In
    /// measurements, all sizes from 96 KB to 8 MB performed equally.
    /// </summary>
    public int StreamWindowBytes { get; init; } = 1024 * 1024;

    /// <summary>Gets the clock for deadlines. The default is the system clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Gets the logger for opened and lost connections. The default discards the messages.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>Gets whether connections use a <see cref="Reactor"/>. Otherwise they use .NET's asynchronous sockets.</summary>
    internal bool UsesReactors { get; init; } = Reactor.IsDefault;
}
