using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Server.Security;

/// <summary>What the data port shows and asks for in a TLS handshake.</summary>
internal static class ServerCertificate
{
    /// <summary>The options of every handshake; null where the server has no certificate.</summary>
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
            // A resumed session has the client's certificate without the intermediates that it came with, so that its chain could not be verified. Without
            // resumption each connection is also verified against the present authorities.
            tls.AllowTlsResume = false;
            tls.CertificateChainPolicy = Read(authorities, () => TrustOnly(authorities));
        }

        return tls;
    }

    // The file's first certificate is the server's; those after it are sent too, so that a client that trusts the root alone finds its way there.
    private static SslStreamCertificateContext WithChain(string path, string keyPath)
    {
        X509Certificate2 leaf = X509Certificate2.CreateFromPemFile(path, keyPath);
        X509Certificate2Collection chain = [];
        chain.ImportFromPemFile(path);
        // Offline: nothing is fetched to complete it.
        return SslStreamCertificateContext.Create(leaf, [.. chain.Skip(1)], offline: true);
    }

    private static X509ChainPolicy TrustOnly(string path)
    {
        X509ChainPolicy policy = new()
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            // A stranger's certificate may name any address.
            DisableCertificateDownloads = true,
        };
        policy.CustomTrustStore.ImportFromPemFile(path);
        return policy.CustomTrustStore.Count > 0 ? policy : throw new ServerOptionsException($"--client-ca {path} holds no certificate");
    }

    private static T Read<T>(string path, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception error) when (error is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ServerOptionsException($"the certificate {path}, or its key, cannot be read: {error.Message}", error);
        }
    }
}
