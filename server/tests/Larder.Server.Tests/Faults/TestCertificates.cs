using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Server.Tests.Faults;

/// <summary>
/// A certificate authority and a server certificate. The server certificate is issued by this authority or by an intermediate authority. The certificates are
/// created for one test and written as PEM files.
/// </summary>
internal sealed class TestCertificates : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-tls-").FullName;
    private readonly ECDsa _authorityKey = ECDsa.Create();

    public TestCertificates(string hostName = "localhost", bool isExpired = false, bool hasIntermediate = false)
    {
        DateTimeOffset now = DateTimeOffset.UtcNow;
        Authority = AuthorityRequest("authority", _authorityKey).CreateSelfSigned(now.AddYears(-2), now.AddYears(1));
        using ECDsa betweenKey = ECDsa.Create();
        using X509Certificate2 between = AuthorityRequest("intermediate", betweenKey).Create(Authority, now.AddYears(-1), now.AddDays(1), [5, 6, 7, 8]);
        using X509Certificate2 issuer = hasIntermediate ? between.CopyWithPrivateKey(betweenKey) : new X509Certificate2(Authority);
        using ECDsa key = ECDsa.Create();
        CertificateRequest server = new($"CN={hostName}", key, HashAlgorithmName.SHA256);
        SubjectAlternativeNameBuilder names = new();
        names.AddDnsName(hostName);
        if (hostName == "localhost")
        {
            names.AddIpAddress(IPAddress.Loopback);
        }

        server.CertificateExtensions.Add(names.Build());
        server.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.1"), new Oid("1.3.6.1.5.5.7.3.2")], false));
        using X509Certificate2 issued = server.Create(issuer, now.AddYears(-1), isExpired ? now.AddDays(-1) : now.AddDays(1), [1, 2, 3, 4]);
        File.WriteAllText(CertificatePath, issued.ExportCertificatePem() + (hasIntermediate ? $"\n{between.ExportCertificatePem()}" : ""));
        File.WriteAllText(AuthorityPath, Authority.ExportCertificatePem());
        File.WriteAllText(KeyPath, key.ExportPkcs8PrivateKeyPem());
    }

    public X509Certificate2 Authority { get; }

    public string CertificatePath => Path.Combine(_folder, "server.pem");

    public string AuthorityPath => Path.Combine(_folder, "authority.pem");

    public string KeyPath => Path.Combine(_folder, "server.key");

    /// <summary>Creates a client certificate that the authority has issued. It has a common name and URIs, and is optionally expired.</summary>
    public X509Certificate2 ClientCertificate(string commonName, bool isExpired = false, params string[] uris) =>
        ClientCertificate(commonName, isExpired, null, uris);

    /// <summary>Creates a client certificate that contains a URL of its issuer's certificate.</summary>
    public X509Certificate2 ClientCertificateWithIssuerAt(string commonName, string issuerAt) => ClientCertificate(commonName, false, issuerAt, []);

    public void Dispose()
    {
        Authority.Dispose();
        _authorityKey.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private X509Certificate2 ClientCertificate(string commonName, bool isExpired, string? issuerAt, string[] uris)
    {
        using ECDsa key = ECDsa.Create();
        CertificateRequest client = new($"CN={commonName}", key, HashAlgorithmName.SHA256);
        SubjectAlternativeNameBuilder names = new();
        names.AddDnsName("a-name-that-is-no-id");
        foreach (string uri in uris)
        {
            names.AddUri(new Uri(uri));
        }

        client.CertificateExtensions.Add(names.Build());
        client.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.2")], false));
        if (issuerAt is not null)
        {
            client.CertificateExtensions.Add(new X509AuthorityInformationAccessExtension(null, [issuerAt]));
        }

        DateTimeOffset now = DateTimeOffset.UtcNow;
        using X509Certificate2 issued = client.Create(Authority, now.AddYears(-1), isExpired ? now.AddDays(-1) : now.AddHours(1), Guid.NewGuid().ToByteArray());
        using X509Certificate2 whole = issued.CopyWithPrivateKey(key);
        return X509CertificateLoader.LoadPkcs12(whole.Export(X509ContentType.Pkcs12), null);
    }

    private static CertificateRequest AuthorityRequest(string name, ECDsa key)
    {
        CertificateRequest request = new($"CN=Larder test {name} {Guid.NewGuid()}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, true));
        return request;
    }
}
