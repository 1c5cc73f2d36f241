using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

public sealed class TlsFaultTests
{
    [Fact]
    public async Task A2_client_that_trusts_the_authority_is_served()
    {
        using TestCertificates certificates = new();
        await using LarderServer server = await StartAsync(certificates);
        await using RpcChannel channel = Connect(server, certificates.Authority);
        await channel.AssertServesAsync();
    }

    [Fact]
    public async Task A2_plaintext_client_is_rejected_on_a_TLS_port()
    {
        using TestCertificates certificates = new();
        await using LarderServer server = await StartAsync(certificates);
        await using RpcChannel plaintext = new(new RpcChannelOptions { Endpoint = new Uri($"http://127.0.0.1:{server.Endpoint.Port}") });
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => plaintext.GetAsync("k"));
        Assert.Equal(StatusCode.Unavailable, error.Status.Code);
        await using RpcChannel channel = Connect(server, certificates.Authority);
        await channel.AssertServesAsync(calls: 1);
    }

    [Fact]
    public async Task A2_client_reports_host_name_mismatch_of_certificate()
    {
        using TestCertificates certificates = new(hostName: "elsewhere.example");
        await using LarderServer server = await StartAsync(certificates);
        await AssertRefusedAsync(server, certificates.Authority, "RemoteCertificateNameMismatch");
    }

    [Fact]
    public async Task A2_client_reports_unknown_authority_of_certificate()
    {
        using TestCertificates certificates = new();
        using TestCertificates other = new();
        await using LarderServer server = await StartAsync(certificates);
        await AssertRefusedAsync(server, other.Authority, "PartialChain");
    }

    [Fact]
    public async Task A2_client_reports_expired_certificate()
    {
        using TestCertificates certificates = new(isExpired: true);
        await using LarderServer server = await StartAsync(certificates);
        await AssertRefusedAsync(server, certificates.Authority, "NotTimeValid");
    }

    [Fact]
    public async Task A2_intermediate_certificate_is_sent_to_clients_trusting_only_the_root()
    {
        using TestCertificates certificates = new(hasIntermediate: true);
        await using LarderServer server = await StartAsync(certificates);
        await using RpcChannel channel = Connect(server, certificates.Authority);
        await channel.AssertServesAsync(calls: 1);
    }

    [Fact]
    public async Task A2_server_with_client_authority_rejects_other_client_certificates()
    {
        using TestCertificates certificates = new();
        using TestCertificates other = new();
        await using LarderServer server = await StartAsync(certificates, certificates.AuthorityPath);
        await using RpcChannel known = Connect(server, certificates.Authority, certificates);
        await known.AssertServesAsync(calls: 1);
        foreach (TestCertificates? shown in (TestCertificates?[])[null, other])
        {
            await using RpcChannel stranger = Connect(server, certificates.Authority, shown);
            Assert.Equal(StatusCode.Unavailable, (await Assert.ThrowsAsync<RpcException>(() => stranger.GetAsync("k"))).Status.Code);
        }
    }

    private static Task<LarderServer> StartAsync(TestCertificates certificates, string? clientAuthority = null) => LarderServer.StartAsync(new ServerOptions
    {
        Port = 0,
        ConsolePort = 0,
        MemoryBytes = 64L << 20,
        TlsCertificatePath = certificates.CertificatePath,
        TlsKeyPath = certificates.KeyPath,
        ClientAuthorityPath = clientAuthority,
    });

    private static RpcChannel Connect(LarderServer server, X509Certificate2 trusted, TestCertificates? shown = null)
    {
        X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.Add(trusted);
        return new RpcChannel(StallTolerantChannel.Options(new Uri($"https://127.0.0.1:{server.Endpoint.Port}")) with
        {
            SslOptions = new SslClientAuthenticationOptions
            {
                CertificateChainPolicy = policy,
                ClientCertificates = shown is null ? null : [X509Certificate2.CreateFromPemFile(shown.CertificatePath, shown.KeyPath)],
            },
        });
    }

    private static async Task AssertRefusedAsync(LarderServer server, X509Certificate2 trusted, string reason)
    {
        await using RpcChannel channel = Connect(server, trusted);
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => channel.GetAsync("k"));
        Assert.Equal(StatusCode.Unavailable, error.Status.Code);
        Assert.True(error.NotProcessed);
        Assert.Contains(reason, error.Status.Message, StringComparison.Ordinal);
    }
}
