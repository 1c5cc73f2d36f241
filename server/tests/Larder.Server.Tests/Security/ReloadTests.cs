using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Faults;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

/// <summary>Tests that SIGHUP reloads token and certificate files, either completely or not at all.</summary>
public sealed class ReloadTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-reload-").FullName;

    private string TokenPath => Path.Combine(_folder, "token");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Changed_token_applies_to_calls_after_reload()
    {
        await File.WriteAllTextAsync(TokenPath, "first");
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokenPath = TokenPath });
        await File.WriteAllTextAsync(TokenPath, "second");
        Assert.Equal(StatusCode.Ok, await StatusAsync(server.Channel, "first"));
        Assert.True(server.Server.Reload());
        Assert.Equal(StatusCode.Unauthenticated, await StatusAsync(server.Channel, "first"));
        Assert.Equal(StatusCode.Ok, await StatusAsync(server.Channel, "second"));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData(" \n a token in the second line")]
    public async Task Invalid_token_file_is_counted_and_old_token_stays_valid(string? content)
    {
        await File.WriteAllTextAsync(TokenPath, "first");
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokenPath = TokenPath });
        File.Delete(TokenPath);
        if (content is not null)
        {
            await File.WriteAllTextAsync(TokenPath, content);
        }

        Assert.False(server.Server.Reload());
        Assert.Equal(StatusCode.Ok, await StatusAsync(server.Channel, "first"));
        using HttpClient http = new();
        string metrics = await http.GetStringAsync(new Uri(server.Server.ConsoleEndpoint, "/metrics"));
        Assert.Contains("\nlarder_reload_failures_total 1\n", metrics, StringComparison.Ordinal);
        Assert.Contains("\nlarder_reloads_total 0\n", metrics, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Changed_certificate_applies_to_new_connections_only()
    {
        using TestCertificates first = new();
        using TestCertificates second = new();
        await using LarderServer server = await LarderServer.StartAsync(new ServerOptions
        {
            Port = 0,
            ConsolePort = 0,
            MemoryBytes = 64L << 20,
            TlsCertificatePath = first.CertificatePath,
            TlsKeyPath = first.KeyPath,
        });
        string before = await ShownAsync(server, first);
        await using RpcChannel open = new(StallTolerantChannel.Options(new Uri($"https://localhost:{server.Endpoint.Port}")) with
        {
            SslOptions = Trusting(first),
        });
        await open.AssertServesAsync(calls: 1);
        File.Copy(second.CertificatePath, first.CertificatePath, overwrite: true);
        // Only one file of the pair is replaced, so the key does not match the certificate.
        Assert.False(server.Reload());
        Assert.Equal(before, await ShownAsync(server, first));
        File.Copy(second.KeyPath, first.KeyPath, overwrite: true);
        Assert.True(server.Reload());
        Assert.NotEqual(before, await ShownAsync(server, second));
        await open.AssertServesAsync(calls: 1);
    }

    [Fact]
    public async Task SIGHUP_reloads_the_token_file_and_logs_the_reload()
    {
        await File.WriteAllTextAsync(TokenPath, "first");
        using ServerProcess server = await ServerProcess.StartAsync("--token-file", TokenPath);
        await File.WriteAllTextAsync(TokenPath, "second");
        server.Signal(Signals.HangUp);
        await using RpcChannel channel = StallTolerantChannel.To(server.Endpoint);
        await Until.TrueAsync(async () => await StatusAsync(channel, "second") == StatusCode.Ok, "the new token holds");
        server.Signal(Signals.Terminate);
        Assert.Equal(0, await server.WaitForExitAsync());
        string log = await server.WholeLogAsync();
        Assert.Contains("Reloaded --token-file", log, StringComparison.Ordinal);
        Assert.DoesNotContain("second", log, StringComparison.Ordinal);
    }

    private static SslClientAuthenticationOptions Trusting(TestCertificates certificates)
    {
        X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.Add(certificates.Authority);
        return new SslClientAuthenticationOptions { CertificateChainPolicy = policy, TargetHost = "localhost" };
    }

    private static async Task<string> ShownAsync(LarderServer server, TestCertificates trusted)
    {
        using TcpClient client = new();
        await client.ConnectAsync(server.Endpoint.Host, server.Endpoint.Port);
        await using SslStream tls = new(client.GetStream());
        SslClientAuthenticationOptions options = Trusting(trusted);
        options.ApplicationProtocols = [SslApplicationProtocol.Http2];
        await tls.AuthenticateAsClientAsync(options);
        using X509Certificate2 shown = new(tls.RemoteCertificate!);
        return shown.Thumbprint;
    }

    private static async Task<StatusCode> StatusAsync(RpcChannel channel, string token)
    {
        try
        {
            await channel.UnaryAsync(
                FaultCalls.GetMethod,
                new GetRequest { Key = CallHarness.Bytes("k") },
                RunningServer.CacheHeaders().With("authorization", token),
                RunningServer.Patience,
                CancellationToken.None);
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }
}
