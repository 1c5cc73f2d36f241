using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>Makes the byte stream of a connection: on a reactor, or on .NET's sockets below TLS.</summary>
internal static class NodeConnector
{
    /// <param name="endPoint">Where the node is.</param>
    /// <param name="tls">How TLS is spoken; null for none.</param>
    /// <param name="reactor">The reactor that it is to be on, where it is on one; null for the next.</param>
    /// <param name="cancellationToken">Gives it up.</param>
    /// <exception cref="IOException">The node cannot be reached, or TLS fails; the text says why.</exception>
    /// <exception cref="OperationCanceledException">It took too long.</exception>
    public static async Task<Stream> ConnectAsync(
        RedisEndPoint endPoint, SslClientAuthenticationOptions? tls, Reactor? reactor, CancellationToken cancellationToken)
    {
        try
        {
            bool usesReactors = Reactor.IsDefault && tls is null;
            Stream stream = await SocketConnector
                .ConnectAsync(endPoint.Host, endPoint.Port, null, usesReactors, cancellationToken, reactor)
                .ConfigureAwait(false);
            return tls is null ? stream : await SecureAsync(stream, endPoint.Host, tls, cancellationToken).ConfigureAwait(false);
        }
        catch (SocketException error)
        {
            throw new IOException(error.Message, error);
        }
    }

    private static async Task<Stream> SecureAsync(Stream stream, string host, SslClientAuthenticationOptions tls, CancellationToken cancellationToken)
    {
        SslStream secure = new(stream, leaveInnerStreamOpen: false);
        try
        {
            await secure.AuthenticateAsClientAsync(ClientTls.For(host, tls), cancellationToken).ConfigureAwait(false);
            return secure;
        }
        catch (Exception error)
        {
            await secure.DisposeAsync().ConfigureAwait(false);
            // A server of plaintext ends the connection at the first bytes of TLS.
            throw error is AuthenticationException or IOException
                ? new IOException($"TLS could not be established: {error.Message}{(error is IOException ? " Does this node speak TLS?" : "")}", error)
                : error;
        }
    }
}
