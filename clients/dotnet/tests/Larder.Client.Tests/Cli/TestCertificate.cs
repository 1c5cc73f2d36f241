using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Client.Tests.Cli;

/// <summary>A server's certificate that signed itself, as PEM files in a folder of its own.</summary>
internal sealed class TestCertificate : IDisposable
{
    public TestCertificate()
    {
        using ECDsa key = ECDsa.Create();
        CertificateRequest request = new("CN=localhost", key, HashAlgorithmName.SHA256);
        SubjectAlternativeNameBuilder names = new();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using X509Certificate2 certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        File.WriteAllText(CertificatePath, certificate.ExportCertificatePem());
        File.WriteAllText(KeyPath, key.ExportPkcs8PrivateKeyPem());
    }

    public string Folder { get; } = Directory.CreateTempSubdirectory("larder-cli-").FullName;

    public string CertificatePath => Path.Combine(Folder, "server.pem");

    public string KeyPath => Path.Combine(Folder, "server.key");

    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
