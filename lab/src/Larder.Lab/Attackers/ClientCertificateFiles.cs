using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Lab.Attackers;

/// <summary>A certificate authority for clients and a client certificate, as PEM files in a temporary folder.</summary>
internal sealed class ClientCertificateFiles : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-clients-").FullName;

    public ClientCertificateFiles()
    {
        using var authorityKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        (DateTimeOffset from, DateTimeOffset until) = (DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        CertificateRequest request = new("CN=clients", authorityKey, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using X509Certificate2 authority = request.CreateSelfSigned(from, until);
        CertificateRequest leaf = new("CN=neighbour", key, HashAlgorithmName.SHA256);
        using X509Certificate2 certificate = leaf.Create(authority, from, until, [1]);
        File.WriteAllText(Authority, authority.ExportCertificatePem());
        File.WriteAllText(Certificate, certificate.ExportCertificatePem());
        File.WriteAllText(Key, key.ExportPkcs8PrivateKeyPem());
    }

    /// <summary>Gets the path of the authority, for <c>--client-ca</c>.</summary>
    public string Authority => Path.Combine(_folder, "authority.pem");

    /// <summary>Gets the path of the certificate that clients present.</summary>
    public string Certificate => Path.Combine(_folder, "client.pem");

    /// <summary>Gets the path of the certificate's key.</summary>
    public string Key => Path.Combine(_folder, "client.key");

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
