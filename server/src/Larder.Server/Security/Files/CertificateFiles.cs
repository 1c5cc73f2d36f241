using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Server.Security;

/// <summary>Reads certificates, private keys and certificate authorities from PEM files.</summary>
internal static class CertificateFiles
{
    /// <summary>
    /// Reads a certificate with its key and its chain. The first certificate in the file is the own one. The other ones are sent too, so that peers that trust
    /// only the root can build the chain.
    /// </summary>
    /// <param name="path">The PEM file of the certificate and its chain.</param>
    /// <param name="keyPath">The PEM file of the private key.</param>
    /// <param name="options">The options that name the files, for the error.</param>
    /// <exception cref="ServerOptionsException">A file cannot be read.</exception>
    public static SslStreamCertificateContext WithChain(string path, string keyPath, string options) => Read(path, options, () =>
    {
        X509Certificate2 leaf = X509Certificate2.CreateFromPemFile(path, keyPath);
        X509Certificate2Collection chain = [];
        chain.ImportFromPemFile(path);
        // Missing certificates are not downloaded.
        return SslStreamCertificateContext.Create(leaf, [.. chain.Skip(1)], offline: true);
    });

    /// <summary>Returns a policy that trusts only the authorities in a file.</summary>
    /// <param name="path">The PEM file of the authorities.</param>
    /// <param name="option">The option that names the file, for errors.</param>
    /// <param name="options">The options that name this file and related ones, for errors.</param>
    /// <exception cref="ServerOptionsException">The file cannot be read, or contains no certificate.</exception>
    public static X509ChainPolicy TrustOnly(string path, string option, string options) => Read(path, options, () =>
    {
        X509ChainPolicy policy = new()
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
            // Certificates are not downloaded, because a peer's certificate could contain any download address.
            DisableCertificateDownloads = true,
        };
        policy.CustomTrustStore.ImportFromPemFile(path);
        return policy.CustomTrustStore.Count > 0 ? policy : throw new ServerOptionsException(
            $"{option} {path} contains no certificate; pass a PEM file with the authorities' certificates");
    });

    private static T Read<T>(string path, string options, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception error) when (error is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ServerOptionsException($"cannot read the certificate {path} or its key: {error.Message}; check {options}", error);
        }
    }
}
