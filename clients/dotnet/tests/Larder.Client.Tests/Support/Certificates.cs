using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Client.Tests.Support;

/// <summary>A certificate authority for tests. It writes the certificates that it issues to a temporary folder, as NAME.pem and NAME.key.</summary>
internal sealed class Certificates : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-tls-").FullName;
    private readonly X509Certificate2 _authority;

    public Certificates()
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest request = new("CN=Larder test authority", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: true, false, 0, critical: true));
        DateTimeOffset now = DateTimeOffset.UtcNow;
        _authority = request.CreateSelfSigned(now.AddDays(-10), now.AddDays(10));
        File.WriteAllText(Authority, _authority.ExportCertificatePem());
    }

    public string Authority => PathOf("ca.pem");

    public string PathOf(string name) => Path.Combine(_folder, name);

    /// <summary>Issues a server certificate if a host name is given, otherwise a client certificate.</summary>
    public TlsOptions Issue(string name, string? host = null, bool expired = false)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest request = new($"CN={host ?? name}", key, HashAlgorithmName.SHA256);
        if (host is not null)
        {
            SubjectAlternativeNameBuilder names = new();
            names.AddDnsName(host);
            if (host == "localhost")
            {
                names.AddIpAddress(System.Net.IPAddress.Loopback);
            }

            request.CertificateExtensions.Add(names.Build());
        }

        Oid use = new(host is null ? "1.3.6.1.5.5.7.3.2" : "1.3.6.1.5.5.7.3.1");
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([use], critical: false));
        DateTimeOffset now = DateTimeOffset.UtcNow;
        using X509Certificate2 certificate = request.Create(
            _authority,
            now.AddDays(-2),
            expired ? now.AddDays(-1) : now.AddDays(2),
            RandomNumberGenerator.GetBytes(8));
        File.WriteAllText(PathOf($"{name}.pem"), certificate.ExportCertificatePem());
        File.WriteAllText(PathOf($"{name}.key"), key.ExportPkcs8PrivateKeyPem());
        PbeParameters protection = new(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 1_000);
        File.WriteAllText(PathOf($"{name}.encrypted.key"), key.ExportEncryptedPkcs8PrivateKeyPem("open sesame", protection));
        return Of(name);
    }

    /// <summary>Returns client options with the certificate of the given name.</summary>
    public TlsOptions Of(string name) => new()
    {
        AuthorityFiles = [Authority],
        CertificateFile = PathOf($"{name}.pem"),
        KeyFile = PathOf($"{name}.key"),
    };

    public void Dispose()
    {
        _authority.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
