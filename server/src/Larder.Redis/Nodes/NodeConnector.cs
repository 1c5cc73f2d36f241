using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>Connects to a node.</summary>
internal static class NodeConnector
{
    /// <param name="endPoint">Where the node is.</param>
    /// <param name="tls">How TLS is spoken; null for none.</param>
    /// <param name="reactor">The reactor that it is to be on, where it is on one; null for the next.</param>
    /// <param name="cancellationToken">Gives it up.</param>
    /// <exception cref="IOException">The node cannot be reached, or TLS fails; the text says why.</exception>
    /// <exception cref="OperationCanceledException">It took too long.</exception>
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
            // A server of plaintext ends the connection at the first bytes of TLS.
            throw new IOException($"TLS could not be established: {error.Message}{(error is IOException ? " Does this node speak TLS?" : "")}", error);
        }
    }
}
