using System.Net;
using System.Net.Http;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Larder.Wire.Http2;
using Larder.Wire.Sockets;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// Creates the transport of a connection. Tries the addresses of a host name in turn, and uses TLS for https. Throws the same exceptions as .NET's
/// <c>HttpClient</c>.
/// </summary>
internal static class Http2Connector
{
    /// <summary>Connects to a server.</summary>
    /// <exception cref="HttpRequestException">The server cannot be reached, or the TLS handshake fails.</exception>
    /// <exception cref="OperationCanceledException">The attempt was cancelled or timed out.</exception>
    public static async Task<IByteTransport> ConnectAsync(RpcChannelOptions options, CancellationToken cancellationToken)
    {
        Uri endpoint = options.Endpoint;
        IByteTransport transport = await ConnectSocketAsync(endpoint, options.Address, options.UsesReactors, cancellationToken).On(PoolQueue.Work);
        return endpoint.Scheme == Uri.UriSchemeHttps
            ? await SecureAsync(transport, endpoint, options.SslOptions, cancellationToken).On(PoolQueue.Work)
            : transport;
    }

    private static async Task<IByteTransport> ConnectSocketAsync(Uri endpoint, IPAddress? address, bool usesReactors, CancellationToken cancellationToken)
    {
        try
        {
            return await SocketConnector.ConnectAsync(endpoint.IdnHost, endpoint.Port, address, usesReactors, cancellationToken).On(PoolQueue.Work);
        }
        catch (SocketException error)
        {
            bool isName = error.SocketErrorCode is SocketError.HostNotFound or SocketError.TryAgain or SocketError.NoData or SocketError.NoRecovery;
            throw new HttpRequestException(
                isName ? HttpRequestError.NameResolutionError : HttpRequestError.ConnectionError,
                $"{error.Message} ({endpoint.IdnHost}:{endpoint.Port}){HintOf(error)}",
                error);
        }
    }

    private static async Task<IByteTransport> SecureAsync(
        IByteTransport plain, Uri endpoint, SslClientAuthenticationOptions? given, CancellationToken cancellationToken)
    {
        TlsTransport secure;
        try
        {
            SslClientAuthenticationOptions options = ClientTls.For(endpoint.IdnHost, given, SslApplicationProtocol.Http2);
            secure = await TlsTransport.ConnectAsync(plain, options, cancellationToken).On(PoolQueue.Work);
        }
        catch (Exception error) when (error is AuthenticationException or IOException and not ProtocolMismatchException)
        {
            // A plaintext server closes the connection when it receives the first bytes of TLS.
            string hint = error is IOException ? " Check that the server uses TLS, or use an http:// address." : "";
            throw new HttpRequestException(HttpRequestError.SecureConnectionError, $"The TLS connection could not be established.{hint}", Verdict(error));
        }

        if (secure.Protocol != SslApplicationProtocol.Http2)
        {
            secure.Dispose();
            throw new HttpRequestException(HttpRequestError.VersionNegotiationError, "The server does not support HTTP/2; check the port.");
        }

        return secure;
    }

    private static string HintOf(SocketException error) =>
        error.SocketErrorCode == SocketError.ConnectionRefused ? ": no server is listening on this address" : "";

    // If the application's own certificate check failed, the message of that check is in the inner exception.
    private static Exception Verdict(Exception error) => error is { InnerException: AuthenticationException verdict } ? verdict : error;
}
