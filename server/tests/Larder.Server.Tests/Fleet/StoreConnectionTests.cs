using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis;
using Larder.Redis.Tests;
using Larder.Server.Doctor;
using Larder.Server.Fleet;
using Larder.Server.Tests.Faults;

namespace Larder.Server.Tests.Fleet;

/// <summary>
/// Tests of the files with which a gateway connects to Redis. The server accepts only TLS with a client certificate of a private authority. Its user has only
/// the permissions of a gateway.
/// </summary>
public sealed class StoreConnectionTests : IDisposable
{
    private readonly TestCertificates _certificates = new();
    private readonly string _password = Path.GetTempFileName();
    private readonly RedisServer _redis;

    public StoreConnectionTests()
    {
        File.WriteAllText(_password, $"{GatewayUser.Password}\n");
        _redis = new RedisServer(
        [
            "--tls-port", "{port}", "--tls-cert-file", _certificates.CertificatePath, "--tls-key-file", _certificates.KeyPath, "--tls-ca-cert-file",
            _certificates.AuthorityPath, "--tls-auth-clients", "yes", .. GatewayUser.Settings,
        ]);
    }

    private ServerOptions Options => new()
    {
        Store = $"rediss://larder@{_redis.Endpoint}",
        StorePasswordPath = _password,
        StoreAuthorityPath = _certificates.AuthorityPath,
        StoreCertificatePath = _certificates.CertificatePath,
        StoreKeyPath = _certificates.KeyPath,
    };

    public void Dispose()
    {
        _redis.Dispose();
        _certificates.Dispose();
        File.Delete(_password);
    }

    [Fact]
    public async Task Gateway_serves_calls_with_TLS_client_certificate_and_password_file()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(Options.Store, with => With(with, Options));
        await gateway.SetAsync("k", "v");
        Assert.Equal(CacheResult.Hit, (await gateway.GetAsync("k")).Result);
    }

    [Fact]
    public async Task Doctor_reports_the_node_as_reachable()
    {
        Finding finding = Assert.Single(await EngineChecks.RunAsync(Options, CancellationToken.None));
        Assert.Equal((FindingLevel.Ok, "one server responds"), (finding.Level, finding.Text));
    }

    [Fact]
    public Task Missing_client_certificate_is_reported() => IsReported(Options with { StoreCertificatePath = null, StoreKeyPath = null }, "client certificate");

    [Fact]
    public Task Unknown_authority_is_reported() => IsReported(Options with { StoreAuthorityPath = null }, "certificate");

    [Fact]
    public async Task Wrong_password_is_reported_without_the_password()
    {
        File.WriteAllText(_password, "wr0ng\n");
        Assert.DoesNotContain("wr0ng", await IsReported(Options, "WRONGPASS"), StringComparison.Ordinal);
    }

    [Fact]
    public void Unreadable_file_is_rejected_naming_its_option()
    {
        string missing = Path.Combine(Path.GetTempPath(), $"larder-missing-{Guid.NewGuid():N}");
        Assert.Contains("--store-password-file", Rejected(Options with { StorePasswordPath = missing }), StringComparison.Ordinal);
        Assert.Contains("--store-ca", Rejected(Options with { StoreAuthorityPath = missing }), StringComparison.Ordinal);
        Assert.Contains("--store-cert", Rejected(Options with { StoreCertificatePath = missing }), StringComparison.Ordinal);
        Assert.Contains("--store-key", Rejected(Options with { StoreKeyPath = missing }), StringComparison.Ordinal);
        File.WriteAllText(_password, "\n");
        Assert.Contains("write the password into it", Rejected(Options), StringComparison.Ordinal);
    }

    [Fact]
    public void Options_without_their_store_are_rejected()
    {
        Assert.Contains("--store redis://", Invalid(new ServerOptions { StorePasswordPath = "p" }), StringComparison.Ordinal);
        Assert.Contains("rediss://", Invalid(new ServerOptions { Store = "redis://h", StoreAuthorityPath = "ca" }), StringComparison.Ordinal);
        Assert.Contains("rediss://", Invalid(new ServerOptions { StoreCertificatePath = "c", StoreKeyPath = "k" }), StringComparison.Ordinal);
        Assert.Contains("--store-key", Invalid(new ServerOptions { Store = "rediss://h", StoreCertificatePath = "c" }), StringComparison.Ordinal);
        Assert.Contains("remove one", Invalid(new ServerOptions { Store = "redis://u:p@h", StorePasswordPath = "p" }), StringComparison.Ordinal);
    }

    private static ServerOptions With(ServerOptions options, ServerOptions store) => options with
    {
        StorePasswordPath = store.StorePasswordPath,
        StoreAuthorityPath = store.StoreAuthorityPath,
        StoreCertificatePath = store.StoreCertificatePath,
        StoreKeyPath = store.StoreKeyPath,
    };

    private static async Task<string> IsReported(ServerOptions options, string word)
    {
        await using RedisStore store = RedisStore.Start(StoreConnection.Read(options) with { ConnectTimeout = TimeSpan.FromSeconds(5) });
        string why = "";
        Eventually.Until(() => (why = store.WhyNotReady ?? "").Contains(word, StringComparison.Ordinal), "the reason is reported");
        return why;
    }

    private static string Rejected(ServerOptions options) => Assert.Throws<ServerOptionsException>(() => StoreConnection.Read(options)).Message;

    private static string Invalid(ServerOptions options) => Assert.Throws<ServerOptionsException>(options.Validate).Message;
}
