using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>Creates the transport to a node.</summary>
internal static class NodeConnector
{
    /// <param name="endPoint">The address of the node.</param>
    /// <param name="tls">The TLS options; null for plaintext.</param>
    /// <param name="reactor">The reactor for the connection, if reactors are used. If null, the next reactor is chosen.</param>
    /// <param name="cancellationToken">Cancels the attempt.</param>
    /// <exception cref="IOException">The node cannot be reached, or TLS fails. The message states the reason.</exception>
    /// <exception cref="OperationCanceledException">The attempt was cancelled or timed out.</exception>
    public static async Task<IByteTransport> ConnectAsync(
        RedisEndPoint endPoint, SslClientAuthenticationOptions? tls, Reactor? reactor, CancellationToken cancellationToken)
    {
        try
        {
            IByteTransport transport = await SocketConnector
                .ConnectAsync(endPoint.Host, endPoint.Port, null, Reactor.IsDefault, cancellationToken, reactor)
                .ConfigureAwait(false);
            return tls is null ? transport : await SecureAsync(transport, endPoint.Host, tls, cancellationToken).ConfigureAwait(false);
        }
        catch (SocketException error)
        {
            throw new IOException(error.Message, error);
        }
    }

    private static async Task<IByteTransport> SecureAsync(
        IByteTransport plain, string host, SslClientAuthenticationOptions tls, CancellationToken cancellationToken)
    {
        try
        {
            return await TlsTransport.ConnectAsync(plain, ClientTls.For(host, tls), cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (error is AuthenticationException or IOException)
        {
            // A plaintext server closes the connection when it receives the start of the TLS handshake.
            throw new IOException(
                "The TLS handshake failed: "
                    + $"{error.Message}{(error is IOException ? " Check that the node uses TLS, or use redis:// instead of rediss://." : "")}", error);
        }
    }
}
