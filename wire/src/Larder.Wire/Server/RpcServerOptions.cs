using System.Net;
using System.Net.Security;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>The address that a server listens on, and the limits of its connections.</summary>
public sealed record RpcServerOptions
{
    /// <summary>Gets the address and port. Port 0 selects a free port. The default is loopback and a free port.</summary>
    public IPEndPoint Endpoint { get; init; } = new(IPAddress.Loopback, 0);

    /// <summary>
    /// Gets a function that returns the TLS options, including the certificate. The value null means plaintext. The function is called for each handshake, so
    /// the certificate can change at run time. The application protocol is set to h2.
    /// </summary>
    public Func<SslServerAuthenticationOptions>? Tls { get; init; }

    /// <summary>
    /// Gets the maximum number of concurrent calls on a connection. Further calls are refused with REFUSED_STREAM. Every gRPC client then waits or retries. The
    /// default is 100, as the protocol specifies.
    /// </summary>
    public int MaxStreamsPerConnection { get; init; } = 100;

    /// <summary>
    /// Gets the maximum number of connections. A further connection replaces a connection on which no valid call was made. If there is no such connection, the
    /// new connection is closed immediately. The default is 4,096. 4,096 idle connections take 80 MB (about 20 KB each).
    /// </summary>
    public int MaxConnections { get; init; } = 4_096;

    /// <summary>
    /// Gets the receive window of a stream and of a connection. This is the number of request bytes that may arrive before they are read. The minimum is
    /// 65,535. The default is 1 MB.
    /// </summary>
    public int WindowBytes { get; init; } = 1024 * 1024;

    /// <summary>Gets the time for which a connection must be silent before it is pinged. The default is 10 s.</summary>
    public TimeSpan KeepAlivePingDelay { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets the time for which a ping may remain unanswered before the connection is closed. The default is 10 s.</summary>
    public TimeSpan KeepAlivePingTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Gets the maximum time of each of these steps: the TLS handshake, the HTTP/2 preface, and the headers of a request. The default is 5 s.
    /// </summary>
    public TimeSpan RequestHeadersTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Gets the time for which a connection may have no calls before it is closed gracefully. The client reconnects at the next call. The default is 10
    /// minutes.
    /// </summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>
    /// Gets the minimum rate, in bytes per second, of an incoming request, measured over each <see cref="DataRateGrace"/>. A slower request is reset. In a
    /// bidirectional call, this rate applies only to unfinished messages. The default is 240.
    /// </summary>
    public double MinDataRateBytesPerSecond { get; init; } = 240;

    /// <summary>Gets the period over which <see cref="MinDataRateBytesPerSecond"/> is measured. The default is 5 s.</summary>
    public TimeSpan DataRateGrace { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Gets the time for which a client may accept no data, or leave a frame unfinished, before its connection is closed. A stream is reset if its response is
    /// slower than <see cref="MinDataRateBytesPerSecond"/>, measured over this time. The default is 15 s, which is enough for a client that was suspended for
    /// 10 s.
    /// </summary>
    public TimeSpan ReaderGrace { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>
    /// Gets the minimum rate, in bytes per second, that applies while more than half of <see cref="Budget"/> is used. The rate is measured over each
    /// <see cref="DataRateGrace"/>. It applies only to requests and responses that take longer than one such period at this rate. The default is 65,536, which
    /// is 0.5 Mbit/s.
    /// </summary>
    public double TightRateBytesPerSecond { get; init; } = 64 * 1024;

    /// <summary>Gets the memory budget for requests and responses of all connections. The default is a budget of 256 MB that no other server shares.</summary>
    public BufferBudget Budget { get; init; } = new(256L << 20);

    /// <summary>
    /// Gets the part of <see cref="Budget"/> for connections without an authenticated caller (<see cref="RpcContext.IsConnectionKnown"/>), so that such
    /// connections cannot exhaust the budget for other connections. The default is null, which means that all connections share the budget.
    /// </summary>
    public BufferBudget? UnauthenticatedBudget { get; init; }

    /// <summary>
    /// Gets a callback for internal errors that ended a connection. The callback can be called on any thread, and must not block. The default is null.
    /// </summary>
    public Action<Exception>? OnConnectionFault { get; init; }

    /// <summary>Gets whether connections use a reactor. Otherwise they use .NET's asynchronous sockets.</summary>
    internal bool UsesReactors { get; init; } = Reactor.IsDefault;
}
