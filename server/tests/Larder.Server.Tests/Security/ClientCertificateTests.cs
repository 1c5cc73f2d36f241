using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Larder.Protocol;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Faults;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

/// <summary>Tests of callers that are identified by their certificates (AUTH-23 to AUTH-25).</summary>
public sealed class ClientCertificateTests : IDisposable
{
    private const string Spiffe = "spiffe://larder.test/web";

    private readonly TestCertificates _certificates = new();
    private readonly TokensOnDisk _tokens = new(
        Nameless(Spiffe, "readwrite"),
        Nameless("reports", "read"),
        TokensOnDisk.Entry("both", "admin", RunningServer.Cache));

    public void Dispose()
    {
        _certificates.Dispose();
        _tokens.Dispose();
    }

    [Fact]
    public async Task Certificate_gets_rights_of_entry_matching_its_URI_or_name()
    {
        await using LarderServer server = await StartAsync();
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await AskAsync(server, _certificates.ClientCertificate("anything", uris: Spiffe)));
        string[] several = ["https://other.test/", Spiffe];
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await AskAsync(server, _certificates.ClientCertificate("anything", uris: several)));
        Assert.Equal((StatusCode.Ok, StatusCode.PermissionDenied), await AskAsync(server, _certificates.ClientCertificate("reports")));
        // If the certificate has a URI, its common name is ignored.
        Assert.Equal(Strangers, await AskAsync(server, _certificates.ClientCertificate("reports", uris: "https://other.test/")));
        Assert.Equal(Strangers, await AskAsync(server, _certificates.ClientCertificate("unknown")));
        Assert.Equal(Strangers, await AskAsync(server, _certificates.ClientCertificate("a-name-that-is-no-id")));
        // A certificate cannot select an entry that has a token. Only the token selects it.
        Assert.Equal(Strangers, await AskAsync(server, _certificates.ClientCertificate("both")));
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await AskAsync(server, _certificates.ClientCertificate("reports"), TokensOnDisk.SecretOf("both")));
        Assert.Equal(Strangers, await AskAsync(server, _certificates.ClientCertificate("reports"), "wrong"));
    }

    [Fact]
    public async Task Missing_untrusted_or_expired_certificate_is_rejected_and_counted()
    {
        using TestCertificates other = new();
        await using LarderServer server = await StartAsync();
        X509Certificate2?[] refused = [null, other.ClientCertificate("reports"), _certificates.ClientCertificate("reports", isExpired: true)];
        foreach (X509Certificate2? shown in refused)
        {
            Assert.Equal((StatusCode.Unavailable, StatusCode.Unavailable), await AskAsync(server, shown));
        }

        await Until.TrueAsync(async () => await FailuresAsync(server) >= refused.Length, "they are counted");
    }

    [Fact]
    public async Task Issuer_URL_of_an_untrusted_certificate_is_not_fetched()
    {
        using TestCertificates other = new();
        using TcpListener elsewhere = new(IPAddress.Loopback, 0);
        elsewhere.Start();
        await using LarderServer server = await StartAsync();
        string address = $"http://{elsewhere.LocalEndpoint}/issuer.cer";
        Assert.Equal((StatusCode.Unavailable, StatusCode.Unavailable), await AskAsync(server, other.ClientCertificateWithIssuerAt("reports", address)));
        Assert.False(elsewhere.Pending());
    }

    [Fact]
    public async Task Stream_authenticated_by_certificate_ends_when_its_entry_is_removed()
    {
        await using LarderServer server = await StartAsync();
        await using RpcChannel channel = Connect(server, _certificates.ClientCertificate("reports"));
        using CancellationTokenSource patience = new(RunningServer.Patience);
        await using DuplexBytes call = new(await channel.OpenDuplexAsync(PipelineService.Path, RunningServer.CacheHeaders(), patience.Token));
        _tokens.Write(Nameless(Spiffe, "read"));
        RpcException ended = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            while (await call.ReadAsync(new byte[64]).AsTask().WaitAsync(patience.Token) > 0)
            {
            }
        });
        Assert.Equal(StatusCode.Unauthenticated, ended.Status.Code);
    }

    [Fact]
    public async Task Changed_client_authority_is_reloaded_automatically()
    {
        using TestCertificates other = new();
        await using LarderServer server = await StartAsync();
        Assert.Equal((StatusCode.Unavailable, StatusCode.Unavailable), await AskAsync(server, other.ClientCertificate("reports")));
        File.Copy(other.AuthorityPath, _certificates.AuthorityPath, overwrite: true);
        await Until.TrueAsync(async () => (await AskAsync(server, other.ClientCertificate("reports"))).Get == StatusCode.Ok, "the new authority holds");
        Assert.Equal((StatusCode.Unavailable, StatusCode.Unavailable), await AskAsync(server, _certificates.ClientCertificate("reports")));
        // An invalid authority file leaves the previous authority in effect.
        await File.WriteAllTextAsync(_certificates.AuthorityPath, "broken");
        Assert.False(server.Reload());
        Assert.Equal(StatusCode.Ok, (await AskAsync(server, other.ClientCertificate("reports"))).Get);
    }

    [Fact]
    public void Access_expires_with_certificate_or_entry_whichever_is_earlier()
    {
        DateTimeOffset end = DateTimeOffset.UnixEpoch.AddDays(10);
        CertificateIdentity shown = new(["a"], end);
        Assert.Equal(end, AuthenticatedCaller.OfCertificate(new TokenEntry("a", [], null, []), shown).Expires);
        Assert.Equal(end, AuthenticatedCaller.OfCertificate(new TokenEntry("a", [], end.AddDays(1), []), shown).Expires);
        Assert.Equal(end.AddDays(-1), AuthenticatedCaller.OfCertificate(new TokenEntry("a", [], end.AddDays(-1), []), shown).Expires);
    }

    private static (StatusCode Get, StatusCode Set) Strangers => (StatusCode.Unauthenticated, StatusCode.Unauthenticated);

    private static string Nameless(string id, string role) =>
        $$"""{"id": "{{id}}", "sha256": [], "grants": [{"role": "{{role}}", "cache": "{{RunningServer.Cache}}"}]}""";

    private Task<LarderServer> StartAsync() => LarderServer.StartAsync(new ServerOptions
    {
        Port = 0,
        ConsolePort = 0,
        MemoryBytes = 64L << 20,
        LongestBusyGap = TimeSpan.FromHours(1),
        TlsCertificatePath = _certificates.CertificatePath,
        TlsKeyPath = _certificates.KeyPath,
        ClientAuthorityPath = _certificates.AuthorityPath,
        TokensPath = _tokens.Path,
        ConsoleToken = "figures",
    });

    private RpcChannel Connect(LarderServer server, X509Certificate2? shown)
    {
        X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.Add(_certificates.Authority);
        return new RpcChannel(StallTolerantChannel.Options(new Uri($"https://127.0.0.1:{server.Endpoint.Port}")) with
        {
            SslOptions = new SslClientAuthenticationOptions
            {
                CertificateChainPolicy = policy,
                // The option prevents the client from downloading certificates, so that only the server can download them.
                ClientCertificateContext = shown is null ? null : SslStreamCertificateContext.Create(shown, null, offline: true),
            },
        });
    }

    private async Task<(StatusCode Get, StatusCode Set)> AskAsync(LarderServer server, X509Certificate2? shown, string? token = null)
    {
        using X509Certificate2? gone = shown;
        await using RpcChannel channel = Connect(server, shown);
        RpcHeaders headers = token is null ? RunningServer.CacheHeaders() : RunningServer.CacheHeaders().With("authorization", token);
        StatusCode get = await StatusAsync(async () => await channel.UnaryAsync(
            new RpcMethod<GetRequest, GetResponse>("/cache_client.Scs/Get", new ProtobufCodec<GetRequest>(), new ProtobufCodec<GetResponse>()),
            new GetRequest { Key = CallHarness.Bytes("k") },
            headers,
            RunningServer.Patience,
            CancellationToken.None));
        StatusCode set = await StatusAsync(async () => await channel.UnaryAsync(
            new RpcMethod<SetRequest, SetResponse>("/cache_client.Scs/Set", new ProtobufCodec<SetRequest>(), new ProtobufCodec<SetResponse>()),
            new SetRequest { Key = CallHarness.Bytes("k"), Value = CallHarness.Bytes("v"), TtlMs = 60_000 },
            headers,
            RunningServer.Patience,
            CancellationToken.None));
        return (get, set);
    }

    private static async Task<StatusCode> StatusAsync(Func<Task> call)
    {
        try
        {
            await call();
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }

    private static async Task<long> FailuresAsync(LarderServer server)
    {
        const string Name = "larder_handshake_failures_total ";
        using HttpClient http = new();
        http.DefaultRequestHeaders.Authorization = new("Bearer", "figures");
        string metrics = await http.GetStringAsync(new Uri(server.ConsoleEndpoint, "/metrics"));
        string line = metrics.Split('\n').Single(static line => line.StartsWith(Name, StringComparison.Ordinal));
        return long.Parse(line[Name.Length..], CultureInfo.InvariantCulture);
    }
}
