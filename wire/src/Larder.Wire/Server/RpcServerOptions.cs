using System.Net;
using System.Net.Security;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>Where a server listens, and the limits of its connections.</summary>
public sealed record RpcServerOptions
{
    /// <summary>The address and port; port 0 takes a free one. Default loopback and a free port.</summary>
    public IPEndPoint Endpoint { get; init; } = new(IPAddress.Loopback, 0);

    /// <summary>
    /// The server's certificate for TLS, asked for at each handshake, so that it may change while the server runs; null for plaintext. Its protocols are set
    /// to h2.
    /// </summary>
    public Func<SslServerAuthenticationOptions>? Tls { get; init; }

    /// <summary>
    /// Calls at once on one connection; more are refused (REFUSED_STREAM), which every gRPC client waits or retries for. Default 100, the contract's.
    /// </summary>
    public int MaxStreamsPerConnection { get; init; } = 100;

    /// <summary>
    /// Connections at once. One more takes the place of a connection on which no valid call was made; if there is none, it is closed as soon as it was
    /// accepted. Default 4,096: with the memory of an idle one (about 20 KB) 80 MB.
    /// </summary>
    public int MaxConnections { get; init; } = 4_096;

    /// <summary>Bytes of requests that may be under way for a stream or a connection before they are read. 65,535 or more. Default 1 MB.</summary>
    public int WindowBytes { get; init; } = 1024 * 1024;

    /// <summary>A silent connection is pinged after this long. Default 10 s.</summary>
    public TimeSpan KeepAlivePingDelay { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>A ping unanswered for this long ends the connection. Default 10 s.</summary>
    public TimeSpan KeepAlivePingTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The longest that a connection's opening (the TLS handshake, and then HTTP/2's preface), or a request's headers, may take. Default 5 s.
    /// </summary>
    public TimeSpan RequestHeadersTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// A connection without a call is closed in good order after this long; its client connects again with its next call. Default 10 minutes.
    /// </summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>
    /// Bytes a second below which a request that arrives is given up, counted over each <see cref="DataRateGrace"/>; of a bidirectional call that holds for an
    /// unfinished message alone. Default 240.
    /// </summary>
    public double MinDataRateBytesPerSecond { get; init; } = 240;

    /// <summary>See <see cref="MinDataRateBytesPerSecond"/>. Default 5 s.</summary>
    public TimeSpan DataRateGrace { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// A connection whose reader takes nothing for this long while bytes wait for it is ended, as is one that leaves a frame unfinished; a stream whose answer
    /// goes slower than <see cref="MinDataRateBytesPerSecond"/> over such a time is reset. Default 15 s: longer than a client that was stopped for 10 s needs.
    /// </summary>
    public TimeSpan ReaderGrace { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>
    /// The rate, in bytes a second over <see cref="DataRateGrace"/>, that is asked of requests and answers while <see cref="Budget"/> is tight, once they are
    /// larger than that rate's grace. Default 65,536: a client behind 0.5 Mbit/s.
    /// </summary>
    public double TightRateBytesPerSecond { get; init; } = 64 * 1024;

    /// <summary>What all connections together may hold of requests and answers. Default 256 MB, of this server alone.</summary>
    public BufferBudget Budget { get; init; } = new(256L << 20);

    /// <summary>
    /// The part of <see cref="Budget"/> for connections on which no caller has been authenticated (<see cref="RpcContext.IsConnectionKnown"/>), so that they
    /// cannot keep others from it. Default none: all connections share the budget.
    /// </summary>
    public BufferBudget? UnauthenticatedBudget { get; init; }

    /// <summary>Told of a fault of the server's own that ended a connection, on any thread; it must not block. Default none.</summary>
    public Action<Exception>? OnConnectionFault { get; init; }

    /// <summary>Whether connections in plaintext are read on reactors; otherwise by .NET's own sockets, as those over TLS are.</summary>
    internal bool UsesReactors { get; init; } = Reactor.IsDefault;
}
