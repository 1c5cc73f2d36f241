using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Server.Tests.Faults;

/// <summary>An authority and a server's certificate from it, made for one test and written as PEM files.</summary>
internal sealed class TestCertificates : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-tls-").FullName;
    private readonly ECDsa _authorityKey = ECDsa.Create();

    public TestCertificates(string hostName = "localhost", bool isExpired = false)
    {
        DateTimeOffset now = DateTimeOffset.UtcNow;
        CertificateRequest authority = new($"CN=Larder test authority {Guid.NewGuid()}", _authorityKey, HashAlgorithmName.SHA256);
        authority.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        authority.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, true));
        Authority = authority.CreateSelfSigned(now.AddYears(-2), now.AddYears(1));
        using ECDsa key = ECDsa.Create();
        CertificateRequest server = new($"CN={hostName}", key, HashAlgorithmName.SHA256);
        SubjectAlternativeNameBuilder names = new();
        names.AddDnsName(hostName);
        if (hostName == "localhost")
        {
            names.AddIpAddress(IPAddress.Loopback);
        }

        server.CertificateExtensions.Add(names.Build());
        server.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.1")], false));
        using X509Certificate2 issued = server.Create(Authority, now.AddYears(-1), isExpired ? now.AddDays(-1) : now.AddDays(1), [1, 2, 3, 4]);
        File.WriteAllText(CertificatePath, issued.ExportCertificatePem());
        File.WriteAllText(KeyPath, key.ExportPkcs8PrivateKeyPem());
    }

    public X509Certificate2 Authority { get; }

    public string CertificatePath => Path.Combine(_folder, "server.pem");

    public string KeyPath => Path.Combine(_folder, "server.key");

    public void Dispose()
    {
        Authority.Dispose();
        _authorityKey.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
