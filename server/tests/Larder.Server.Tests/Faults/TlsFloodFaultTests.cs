using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Larder.Harness.Processes;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

/// <summary>Tests with clients that make TLS processing expensive.</summary>
public sealed class TlsFloodFaultTests
{
    [Theory]
    [InlineData('k', false)]
    [InlineData('K', false)]
    [InlineData('k', true)]
    public async Task A2_connection_is_closed_after_a_flood_of_key_updates(char command, bool toConsole)
    {
        using TestCertificates certificates = new();
        await using LarderServer server = await StartAsync(certificates);
        await using RpcChannel channel = Connect(server, certificates.Authority);
        int port = toConsole ? server.ConsoleEndpoint.Port : server.Endpoint.Port;
        string[] arguments =
        [
            "s_client", "-connect", $"127.0.0.1:{port}", "-alpn", toConsole ? "http/1.1" : "h2", "-tls1_3", "-CAfile", certificates.AuthorityPath,
        ];
        using ChildProcess client = ChildProcess.Start(new ProgramCommand("openssl", "openssl", arguments));
        const string Request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
        const string Opening = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0";
        await client.Input.WriteAsync(toConsole ? Request : Opening);
        await client.Input.FlushAsync();
        Task<int> ended = client.WaitForExitAsync(RunningServer.Patience);
        await ReadUntilAsync(client.Output.BaseStream, toConsole ? "ok\n"u8.ToArray() : [4, 0, 0, 0, 0, 0]);
        Task read = client.Output.BaseStream.CopyToAsync(Stream.Null);
        // If a chunk of input begins with the command letter, openssl requests a key update.
        await channel.AssertServesDuringAsync(Task.Run(async () =>
        {
            try
            {
                while (!ended.IsCompleted)
                {
                    await client.Input.WriteAsync($"{command}");
                    await client.Input.FlushAsync();
                    await Task.Yield();
                }
            }
            catch (IOException)
            {
                // The server has closed the connection.
            }
        }));
        await ended;
        await read;
    }

    [Theory]
    [InlineData(4, true)]
    [InlineData(60, false)]
    public async Task A2_client_certificate_chain_length_is_limited(int length, bool isServed)
    {
        using TestCertificates certificates = new();
        (X509Certificate2 leaf, X509Certificate2Collection others) = Chain(certificates.Authority, length);
        await using LarderServer server = await StartAsync(certificates, certificates.AuthorityPath);
        SslClientAuthenticationOptions shown = new() { ClientCertificateContext = SslStreamCertificateContext.Create(leaf, others, offline: true) };
        await using RpcChannel client = Connect(server, certificates.Authority, shown);
        if (isServed)
        {
            await client.AssertServesAsync(calls: 1);
        }
        else
        {
            Assert.Equal(StatusCode.Unavailable, (await Assert.ThrowsAsync<RpcException>(() => client.GetAsync("k"))).Status.Code);
        }
    }

    private static async Task ReadUntilAsync(Stream output, byte[] end)
    {
        List<byte> read = [];
        byte[] part = new byte[4096];
        while (read.ToArray().AsSpan().IndexOf(end) < 0)
        {
            int count = await output.ReadAsync(part).AsTask().WaitAsync(RunningServer.Patience);
            Assert.True(count > 0, "The server closed the connection before the flood.");
            read.AddRange(part[..count]);
        }
    }

    // The leaf certificate is the first. Each certificate is signed by the next one, and the last one is signed by the authority.
    private static (X509Certificate2 Leaf, X509Certificate2Collection Others) Chain(X509Certificate2 authority, int length)
    {
        DateTimeOffset now = DateTimeOffset.UtcNow;
        X509Certificate2Collection chain = [];
        X509Certificate2 issuer = authority;
        for (int index = 1; index < length; index++)
        {
            var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
            CertificateRequest request = new($"CN=chain {index} {Guid.NewGuid()}", key, HashAlgorithmName.SHA256);
            request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
            using X509Certificate2 issued = request.Create(issuer, now.AddDays(-1), now.AddHours(12), Guid.NewGuid().ToByteArray());
            issuer = issued.CopyWithPrivateKey(key);
            chain.Insert(0, X509CertificateLoader.LoadCertificate(issued.RawData));
        }

        using var leafKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest leaf = new("CN=leaf", leafKey, HashAlgorithmName.SHA256);
        using X509Certificate2 signed = leaf.Create(issuer, now.AddDays(-1), now.AddHours(1), Guid.NewGuid().ToByteArray());
        using X509Certificate2 whole = signed.CopyWithPrivateKey(leafKey);
        return (X509CertificateLoader.LoadPkcs12(whole.Export(X509ContentType.Pkcs12), null), chain);
    }

    private static Task<LarderServer> StartAsync(TestCertificates certificates, string? clientAuthority = null) => LarderServer.StartAsync(new ServerOptions
    {
        Port = 0,
        ConsolePort = 0,
        ConsoleHost = IPAddress.Any,
        ConsoleToken = "figures",
        MemoryBytes = 64L << 20,
        LongestBusyGap = TimeSpan.FromHours(1),
        TlsCertificatePath = certificates.CertificatePath,
        TlsKeyPath = certificates.KeyPath,
        ClientAuthorityPath = clientAuthority,
    });

    private static RpcChannel Connect(LarderServer server, X509Certificate2 trusted, SslClientAuthenticationOptions? shown = null)
    {
        SslClientAuthenticationOptions options = shown ?? new SslClientAuthenticationOptions();
        options.CertificateChainPolicy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        options.CertificateChainPolicy.CustomTrustStore.Add(trusted);
        return new RpcChannel(StallTolerantChannel.Options(new Uri($"https://127.0.0.1:{server.Endpoint.Port}")) with { SslOptions = options });
    }
}
