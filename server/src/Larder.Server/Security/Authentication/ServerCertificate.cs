using System.Net.Security;

namespace Larder.Server.Security;

/// <summary>Loads the TLS settings of the data port.</summary>
internal static class ServerCertificate
{
    private const string Options = "--tls-cert and --tls-key";

    /// <summary>Loads the options for TLS handshakes. Returns null if no certificate is configured.</summary>
    /// <exception cref="ServerOptionsException">A certificate or key cannot be read.</exception>
    public static SslServerAuthenticationOptions? Load(ServerOptions options)
    {
        if (options.TlsCertificatePath is not { } path)
        {
            return null;
        }

        SslServerAuthenticationOptions tls = new() { ServerCertificateContext = CertificateFiles.WithChain(path, options.TlsKeyPath!, Options) };
        if (options.ClientAuthorityPath is { } authorities)
        {
            tls.ClientCertificateRequired = true;
            // TLS session resumption is disabled. A resumed session does not include the intermediate certificates that the client sent, so the client's chain
            // could not be verified. Without resumption, every connection is verified against the current authorities.
            tls.AllowTlsResume = false;
            tls.CertificateChainPolicy = CertificateFiles.TrustOnly(authorities, "--client-ca", "--client-ca");
        }

        return tls;
    }
}
