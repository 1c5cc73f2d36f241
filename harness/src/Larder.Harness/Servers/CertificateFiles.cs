using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Harness.Servers;

/// <summary>A certificate for this machine that signed itself, with an EC key (P-256), as PEM files in a folder of its own, which ends with it.</summary>
public sealed class CertificateFiles : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-tls-").FullName;

    /// <summary>Makes it.</summary>
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

    /// <summary>The certificate, which is the authority to trust as well.</summary>
    public string Certificate => Path.Combine(_folder, "server.pem");

    /// <summary>Its key.</summary>
    public string Key => Path.Combine(_folder, "server.key");

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
