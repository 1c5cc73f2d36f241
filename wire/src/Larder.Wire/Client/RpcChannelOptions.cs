using System.Net;
using System.Net.Security;
using Larder.Wire.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Wire;

/// <summary>How a channel reaches its server.</summary>
public sealed record RpcChannelOptions
{
    /// <summary>The server: scheme (http in plaintext, https over TLS), host and port.</summary>
    public required Uri Endpoint { get; init; }

    /// <summary>
    /// The address to connect to, where the endpoint's host is a name; TLS and the requests have the name. Default null: whatever the name resolves to.
    /// </summary>
    public IPAddress? Address { get; init; }

    /// <summary>The longest that making the connection may take. Default 5 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// A connection that was silent for this long is pinged. Default 5 s: the most frequent that the contract's server tolerates without calls.
    /// <see cref="Timeout.InfiniteTimeSpan"/> turns pings off.
    /// </summary>
    public TimeSpan KeepAlivePingDelay { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>A ping unanswered for this long ends the connection. Default 1 s.</summary>
    public TimeSpan KeepAlivePingTimeout { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Whether pings go on while there are no calls. Default true: a dead connection is found before the next call.</summary>
    public bool KeepAliveWithoutCalls { get; init; } = true;

    /// <summary>Certificates and names for https. Default the system's.</summary>
    public SslClientAuthenticationOptions? SslOptions { get; init; }

    /// <summary>The largest message accepted in an answer, in bytes. Default 11,010,048.</summary>
    public int MaxReceiveMessageBytes { get; init; } = MessageLimit.DefaultBytes;

    /// <summary>
    /// Whether servers are told that answers may come in gzip. Default false: it is one more header on every call, and Larder's server compresses nothing.
    /// Answers in gzip are read either way.
    /// </summary>
    public bool AcceptGzip { get; init; }

    /// <summary>Bytes of answers that may be under way for one stream before it is read. Default 1 MB (a study found nothing between 96 KB and 8 MB).</summary>
    public int StreamWindowBytes { get; init; } = 1024 * 1024;

    /// <summary>The clock of deadlines. Default the system's.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Where the channel tells of connections made and lost. Default nowhere.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>Whether a connection in plaintext is read on a reactor; otherwise by .NET's own sockets, as one over TLS is.</summary>
    internal bool UsesReactors { get; init; } = Reactor.IsDefault;
}
