using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Server.Security;

/// <summary>Loads the TLS settings of the data port.</summary>
internal static class ServerCertificate
{
    /// <summary>Loads the options for TLS handshakes. Returns null if no certificate is configured.</summary>
    /// <exception cref="ServerOptionsException">A certificate or key cannot be read.</exception>
    public static SslServerAuthenticationOptions? Load(ServerOptions options)
    {
        if (options.TlsCertificatePath is not { } path)
        {
            return null;
        }

        SslServerAuthenticationOptions tls = new() { ServerCertificateContext = Read(path, () => WithChain(path, options.TlsKeyPath!)) };
        if (options.ClientAuthorityPath is { } authorities)
        {
            tls.ClientCertificateRequired = true;
            // TLS session resumption is disabled. A resumed session does not include the intermediate certificates that the client sent, so the client's chain
            // could not be verified. Without resumption, every connection is verified against the current authorities.
            tls.AllowTlsResume = false;
            tls.CertificateChainPolicy = Read(authorities, () => TrustOnly(authorities));
        }

        return tls;
    }

    // The first certificate in the file is the server's certificate. The server also sends the other certificates, so that clients that trust only the root can
    // build the chain.
    private static SslStreamCertificateContext WithChain(string path, string keyPath)
    {
        X509Certificate2 leaf = X509Certificate2.CreateFromPemFile(path, keyPath);
        X509Certificate2Collection chain = [];
        chain.ImportFromPemFile(path);
        // Missing certificates are not downloaded.
        return SslStreamCertificateContext.Create(leaf, [.. chain.Skip(1)], offline: true);
    }

    private static X509ChainPolicy TrustOnly(string path)
    {
        X509ChainPolicy policy = new()
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            // Certificates are not downloaded, because a client's certificate could contain any download address.
            DisableCertificateDownloads = true,
        };
        policy.CustomTrustStore.ImportFromPemFile(path);
        return policy.CustomTrustStore.Count > 0 ? policy : throw new ServerOptionsException(
            $"--client-ca {path} contains no certificate; pass a PEM file with the authorities' certificates");
    }

    private static T Read<T>(string path, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception error) when (error is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ServerOptionsException($"cannot read the certificate {path} or its key: {error.Message}; check --tls-cert and --tls-key", error);
        }
    }
}
