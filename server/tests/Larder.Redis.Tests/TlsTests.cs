using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Larder.Harness.Redis;

namespace Larder.Redis.Tests;

/// <summary>Tests of TLS with a real server. The server's certificate is signed by a root certificate that the test creates.</summary>
public sealed class TlsTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-redis-tls-").FullName;
    private readonly X509Certificate2 _root;
    private readonly RedisServer _server;

    public TlsTests()
    {
        using RSA rootKey = RSA.Create(2048);
        CertificateRequest rootRequest = new("CN=Larder's test root", rootKey, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        rootRequest.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        _root = rootRequest.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        using RSA key = RSA.Create(2048);
        CertificateRequest request = new("CN=redis", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        SubjectAlternativeNameBuilder names = new();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        using X509Certificate2 certificate = request.Create(_root, DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddHours(12), [1]);
        File.WriteAllText(Path.Combine(_folder, "cert.pem"), certificate.ExportCertificatePem());
        File.WriteAllText(Path.Combine(_folder, "key.pem"), key.ExportPkcs8PrivateKeyPem());
        File.WriteAllText(Path.Combine(_folder, "root.pem"), _root.ExportCertificatePem());
        _server = new RedisServer(
            "--tls-port", "{port}", "--tls-cert-file", Path.Combine(_folder, "cert.pem"), "--tls-key-file", Path.Combine(_folder, "key.pem"),
            "--tls-ca-cert-file", Path.Combine(_folder, "root.pem"), "--tls-auth-clients", "no");
    }

    [Fact]
    public async Task Calls_use_TLS_when_certificate_is_trusted()
    {
        await using TestStore store = new($"rediss://{_server.Endpoint}", Trusting);
        string value = new('x', 300_000);
        Assert.Equal("OK", await store.Call("SET", "@k", value));
        Assert.Equal(value, await store.Call("GET", "@k"));
    }

    [Fact]
    public async Task Certificate_of_unknown_root_is_rejected_and_reported()
    {
        await using TestStore store = new($"rediss://{_server.Endpoint}");
        Eventually.Until(() => store.Store.WhyNotReady!.Contains("certificate", StringComparison.OrdinalIgnoreCase), "it says so");
    }

    [Fact]
    public async Task Certificate_for_another_name_is_rejected()
    {
        await using TestStore store = new($"rediss://localhost:{_server.Port}", Trusting);
        Eventually.Until(() => store.Store.WhyNotReady!.Contains("certificate", StringComparison.OrdinalIgnoreCase), "it says so");
    }

    [Fact]
    public async Task Missing_client_certificate_is_reported()
    {
        using RedisServer strict = new(
            "--tls-port", "{port}", "--tls-cert-file", Path.Combine(_folder, "cert.pem"), "--tls-key-file", Path.Combine(_folder, "key.pem"),
            "--tls-ca-cert-file", Path.Combine(_folder, "root.pem"), "--tls-auth-clients", "yes");
        await using TestStore store = new($"rediss://{strict.Endpoint}", Trusting);
        Eventually.Until(() => store.Store.WhyNotReady!.Contains("client certificate", StringComparison.Ordinal), "the reason is reported");
    }

    [Fact]
    public async Task Plaintext_server_is_reported()
    {
        using RedisServer plain = new();
        await using TestStore store = new($"rediss://{plain.Endpoint}", Trusting);
        Eventually.Until(() => store.Store.WhyNotReady!.Contains("TLS", StringComparison.Ordinal), "it says so");
    }

    [Fact]
    public async Task Call_fails_as_ambiguous_when_the_TLS_server_stops_responding()
    {
        await using TestStore store = new($"rediss://{_server.Endpoint}", Trusting);
        await store.Call("PING");
        _server.Pause();
        Assert.Equal(RedisFailureKind.Ambiguous, (await store.Failure(new TestCommand("INCR", "@n"))).Kind);
        _server.Resume();
        await store.Send(new TestCommand("GET", "@n") { Deadline = TestStore.Patiently });
    }

    public void Dispose()
    {
        _server.Dispose();
        _root.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private RedisOptions Trusting(RedisOptions options) => options with
    {
        Tls = new SslClientAuthenticationOptions
        {
            CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                CustomTrustStore = { _root },
                RevocationMode = X509RevocationMode.NoCheck,
            },
        },
    };
}
