using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Harness.Servers;

/// <summary>A certificate for this machine that signed itself, with an EC key (P-256), as PEM files in a folder of its own, which ends with it.</summary>
public sealed class CertificateFiles : IDisposable
{
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

    /// <summary>The folder.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("larder-tls-").FullName;

    /// <summary>The certificate, which is the authority to trust as well.</summary>
    public string Certificate => Path.Combine(Folder, "server.pem");

    /// <summary>Its key.</summary>
    public string Key => Path.Combine(Folder, "server.key");

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
