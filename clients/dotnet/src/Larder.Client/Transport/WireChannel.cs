using System.Net;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>A channel that uses the network.</summary>
internal sealed class WireChannel(RpcChannel channel) : IChannel
{
    /// <param name="configuration">The connection settings.</param>
    /// <param name="credentials">The server's address and credentials.</param>
    /// <param name="address">The resolved address to connect to, or null for any address of the host.</param>
    /// <param name="time">The clock for deadlines.</param>
    /// <param name="logger">The logger of the channel.</param>
    public static RpcChannelOptions OptionsFor(
        Configuration configuration,
        CredentialProvider credentials,
        IPAddress? address,
        TimeProvider time,
        ILogger logger) => new()
        {
            Endpoint = credentials.Endpoint,
            Address = address,
            ConnectTimeout = configuration.ConnectTimeout,
            KeepAlivePingDelay = configuration.KeepaliveInterval ?? Timeout.InfiniteTimeSpan,
            KeepAlivePingTimeout = configuration.KeepaliveTimeout,
            SslOptions = credentials.IsSecure ? TlsFor(credentials) : null,
            TimeProvider = time,
            Logger = logger,
        };

    public bool IsConnected => channel.IsConnected;

    public ValueTask ConnectAsync(CancellationToken cancellationToken) => channel.ConnectAsync(cancellationToken);

    public ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method,
        TRequest request,
        RpcHeaders headers,
        TimeSpan timeout,
        CancellationToken cancellationToken) => channel.UnaryAsync(method, request, headers, timeout, cancellationToken);

    public IAsyncEnumerable<TResponse> ServerStreamAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method,
        TRequest request,
        RpcHeaders headers,
        TimeSpan timeout,
        CancellationToken cancellationToken) => channel.ServerStreamAsync(method, request, headers, timeout, cancellationToken);

    public ValueTask DisposeAsync() => channel.DisposeAsync();

    private static SslClientAuthenticationOptions TlsFor(CredentialProvider credentials)
    {
        string name = credentials.TlsFiles?.ServerName ?? credentials.Endpoint.Host;
        TlsFiles.Material? files = credentials.TlsFiles?.Now();
        SslClientAuthenticationOptions options = new()
        {
            TargetHost = name,
            ClientCertificateContext = files?.Own,
            RemoteCertificateValidationCallback = (_, certificate, chain, errors) => ServerCertificate.Check(name, certificate, chain, errors),
        };
        if ((files?.Authorities ?? credentials.TrustedAuthorities) is { } authorities)
        {
            options.CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                // Revocation is not checked, because private certificate authorities rarely publish revocation lists.
                RevocationMode = X509RevocationMode.NoCheck,
            };
            options.CertificateChainPolicy.CustomTrustStore.AddRange(authorities);
        }

        return options;
    }
}
