using System.Net;
using System.Net.Http;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Larder.Wire.Http2;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <summary>
/// Makes the byte stream of a connection: a name's addresses in turn, and TLS where the endpoint asks for it. Failures are .NET's own exceptions for them.
/// </summary>
internal static class Http2Connector
{
    /// <exception cref="HttpRequestException">The server cannot be reached, or TLS fails.</exception>
    /// <exception cref="OperationCanceledException">It took too long.</exception>
    public static async Task<Stream> ConnectAsync(RpcChannelOptions options, CancellationToken cancellationToken)
    {
        Uri endpoint = options.Endpoint;
        bool isSecure = endpoint.Scheme == Uri.UriSchemeHttps;
        Stream stream = await ConnectStreamAsync(endpoint, options.Address, options.UsesReactors && !isSecure, cancellationToken).ConfigureAwait(false);
        return isSecure ? await SecureAsync(stream, endpoint, options.SslOptions, cancellationToken).ConfigureAwait(false) : stream;
    }

    // A name with several addresses: each is tried in turn.
    private static async Task<Stream> ConnectStreamAsync(Uri endpoint, IPAddress? address, bool usesReactors, CancellationToken cancellationToken)
    {
        try
        {
            return usesReactors
                ? new ReactorStream(await ConnectReactorAsync(endpoint, address, cancellationToken).ConfigureAwait(false))
                : new NetworkStream(await ConnectSocketAsync(endpoint, address, cancellationToken).ConfigureAwait(false), ownsSocket: true);
        }
        catch (SocketException error)
        {
            bool isName = error.SocketErrorCode is SocketError.HostNotFound or SocketError.TryAgain or SocketError.NoData or SocketError.NoRecovery;
            throw new HttpRequestException(
                isName ? HttpRequestError.NameResolutionError : HttpRequestError.ConnectionError,
                $"{error.Message} ({endpoint.IdnHost}:{endpoint.Port})",
                error);
        }
    }

    private static async Task<Socket> ConnectSocketAsync(Uri endpoint, IPAddress? address, CancellationToken cancellationToken)
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            EndPoint target = address is null ? new DnsEndPoint(endpoint.IdnHost, endpoint.Port) : new IPEndPoint(address, endpoint.Port);
            await socket.ConnectAsync(target, cancellationToken).ConfigureAwait(false);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static async Task<ReactorSocket> ConnectReactorAsync(Uri endpoint, IPAddress? address, CancellationToken cancellationToken)
    {
        SocketException? refused = null;
        IPAddress[] addresses = address is null ? await Dns.GetHostAddressesAsync(endpoint.IdnHost, cancellationToken).ConfigureAwait(false) : [address];
        foreach (IPAddress each in addresses)
        {
            try
            {
                return await ReactorSocket.ConnectAsync(new IPEndPoint(each, endpoint.Port), cancellationToken).ConfigureAwait(false);
            }
            catch (SocketException error)
            {
                refused = error;
            }
        }

        throw refused ?? new SocketException((int)SocketError.HostNotFound);
    }

    private static async Task<Stream> SecureAsync(Stream stream, Uri endpoint, SslClientAuthenticationOptions? given, CancellationToken cancellationToken)
    {
        SslStream secure = new(stream, leaveInnerStreamOpen: false);
        try
        {
            await secure.AuthenticateAsClientAsync(OptionsFor(endpoint, given), cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (error is AuthenticationException or IOException)
        {
            await secure.DisposeAsync().ConfigureAwait(false);
            // A server of plaintext ends the connection at the first bytes of TLS.
            string hint = error is IOException ? " Does this server speak TLS?" : "";
            throw new HttpRequestException(HttpRequestError.SecureConnectionError, $"The SSL connection could not be established.{hint}", error);
        }
        catch
        {
            await secure.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        if (secure.NegotiatedApplicationProtocol != SslApplicationProtocol.Http2)
        {
            await secure.DisposeAsync().ConfigureAwait(false);
            throw new HttpRequestException(HttpRequestError.VersionNegotiationError, "The server does not speak HTTP/2.");
        }

        return secure;
    }

    private static SslClientAuthenticationOptions OptionsFor(Uri endpoint, SslClientAuthenticationOptions? given)
    {
        // A copy: the caller's may serve other channels, or other protocols.
        given ??= new SslClientAuthenticationOptions();
        return new SslClientAuthenticationOptions
        {
            ApplicationProtocols = [SslApplicationProtocol.Http2],
            TargetHost = string.IsNullOrEmpty(given.TargetHost) ? endpoint.IdnHost : given.TargetHost,
            AllowRenegotiation = false,
            AllowTlsResume = given.AllowTlsResume,
            CertificateChainPolicy = given.CertificateChainPolicy,
            CertificateRevocationCheckMode = given.CertificateRevocationCheckMode,
            CipherSuitesPolicy = given.CipherSuitesPolicy,
            ClientCertificateContext = given.ClientCertificateContext,
            ClientCertificates = given.ClientCertificates,
            EnabledSslProtocols = given.EnabledSslProtocols,
            EncryptionPolicy = given.EncryptionPolicy,
            LocalCertificateSelectionCallback = given.LocalCertificateSelectionCallback,
            RemoteCertificateValidationCallback = given.RemoteCertificateValidationCallback,
        };
    }
}
