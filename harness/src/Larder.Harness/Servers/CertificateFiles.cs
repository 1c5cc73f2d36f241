using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Harness.Servers;

/// <summary>A self-signed certificate for this machine with an EC key (P-256), as PEM files in a temporary folder.</summary>
public sealed class CertificateFiles : IDisposable
{
    /// <summary>Creates the certificate.</summary>
    public CertificateFiles()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest request = new("CN=localhost", key, HashAlgorithmName.SHA256);
        SubjectAlternativeNameBuilder names = new();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using X509Certificate2 certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        File.WriteAllText(Certificate, certificate.ExportCertificatePem());
        File.WriteAllText(Key, key.ExportPkcs8PrivateKeyPem());
    }

    /// <summary>Gets the folder, which is deleted on disposal.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("larder-tls-").FullName;

    /// <summary>Gets the path of the certificate. It is self-signed, so clients must trust it as a certificate authority.</summary>
    public string Certificate => Path.Combine(Folder, "server.pem");

    /// <summary>Gets the path of the private key.</summary>
    public string Key => Path.Combine(Folder, "server.key");

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
