using Larder.Client.Tests.Support;

namespace Larder.Client.Tests;

/// <summary>Tests the TLS files of a client, over both transports. The server requires a client certificate.</summary>
public sealed class TlsFilesTests : IDisposable
{
    private readonly Certificates _files = new();
    private readonly Certificates _others = new();

    public TlsFilesTests()
    {
        foreach (string name in (string[])["alice", "bob"])
        {
            _files.Issue(name);
        }
    }

    public void Dispose()
    {
        _files.Dispose();
        _others.Dispose();
    }

    [Fact]
    public void AUTH_35_client_creation_error_explains_an_invalid_tls_file()
    {
        TlsOptions alice = _files.Of("alice");
        Refused(alice with { CertificateFile = _files.PathOf("nowhere") }, "The client certificate file '", "nowhere' cannot be read: it does not exist");
        Refused(alice with { KeyFile = _files.PathOf("bob.key") }, "bob.key' does not match the certificate in '");
        Refused(alice with { CertificateFile = alice.KeyFile, KeyFile = alice.CertificateFile }, "but a private key; check that");
        Refused(alice with { KeyFile = alice.CertificateFile }, "contains no private key", "but a certificate; check that");
        Refused(_files.Issue("stale", expired: true), "stale.pem' expired on ");
        Refused(alice with { KeyFile = null }, "CertificateFile and KeyFile must be set together");
        Refused(new TlsOptions { AuthorityFiles = [alice.KeyFile!] }, "The authority file '", "contains no certificate");
        Refused(new TlsOptions { ServerName = "no name" }, "ServerName 'no name' is not a valid host name");
        Refused(new TlsOptions { ServerName = "" }, "ServerName '' is not a valid host name");
        File.WriteAllText(_files.PathOf("broken.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        Refused(new TlsOptions { AuthorityFiles = [_files.PathOf("broken.pem")] }, "contains a malformed certificate");
        Assert.Contains(
            "TLS options require an https:// address",
            Assert.Throws<ArgumentException>(() => CredentialProvider.Local().WithTls(new TlsOptions())).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void AUTH_35_encrypted_key_needs_its_password_which_is_never_printed()
    {
        TlsOptions encrypted = _files.Of("alice") with { KeyFile = _files.PathOf("alice.encrypted.key") };
        Refused(encrypted, "is encrypted; set KeyPassword");
        Refused(encrypted with { KeyPassword = "wrong" }, "KeyPassword does not decrypt the key file");
        TlsOptions right = encrypted with { KeyPassword = "open sesame" };
        Assert.NotNull(CredentialProvider.FromString("https://localhost").WithTls(right));
        Assert.DoesNotContain("sesame", right.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task AUTH_34_client_sends_certificate_and_verifies_configured_server_name(Transport transport)
    {
        await using RunningServer server = await ServeAsync("cache.example");
        await using CacheClient client = Connect(server, transport, _files.Of("alice") with { ServerName = "cache.example" });
        Expect.Success(await Eventually.Within(client.Cache("cache").SetAsync("k", "v")));
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task AUTH_35_failed_tls_connection_reports_the_reason(Transport transport)
    {
        _others.Issue("mallory");
        TlsOptions alice = _files.Of("alice");
        foreach ((string host, bool expired, TlsOptions options, string why) in ((string, bool, TlsOptions, string)[])
        [
            ("localhost", false, alice with { AuthorityFiles = [_others.Authority] }, "the server's certificate was issued by an untrusted authority"),
            ("localhost", true, alice, "the server's certificate has expired"),
            ("cache.example", false, alice, "the server's certificate does not match the name '127.0.0.1'"),
            ("localhost", false, new TlsOptions { AuthorityFiles = [_files.Authority] }, "client certificate"),
            ("localhost", false, _others.Of("mallory") with { AuthorityFiles = [_files.Authority] }, "client certificate"),
        ])
        {
            await using RunningServer server = await ServeAsync(host, expired);
            await using CacheClient client = Connect(server, transport, options);
            CacheError error = Expect.Error(await Eventually.Within(client.Cache("cache").GetAsync("k")));
            Assert.Equal(CacheErrorCode.Unavailable, error.Code);
            Assert.True(error.Message.Contains(why, StringComparison.Ordinal), error.ToString());
        }
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task AUTH_36_changed_tls_files_apply_to_new_connections(Transport transport)
    {
        // The certificate was issued by a different authority than the one that the server requires.
        TlsOptions options = _others.Issue("rotated") with { AuthorityFiles = [_files.Authority] };
        await using RunningServer server = await ServeAsync("localhost");
        await using CacheClient client = Connect(server, transport, options);
        Expect.Error(await Eventually.Within(client.Cache("cache").GetAsync("k")));
        File.Copy(_files.PathOf("alice.pem"), options.CertificateFile!, overwrite: true);
        File.Copy(_files.PathOf("alice.key"), options.KeyFile!, overwrite: true);
        await Eventually.Holds(() => client.Cache("cache").GetAsync("k").AsTask().GetAwaiter().GetResult() is { IsMiss: true }, "the new certificate is shown");
        File.WriteAllText(options.KeyFile!, "half written");
        TlsFiles broken = new(_files.Of("bob"), TimeProvider.System);
        TlsFiles.Material before = broken.Now();
        File.WriteAllText(_files.PathOf("bob.key"), "half written");
        Assert.Same(before, broken.Now());
        _files.Issue("bob");
        Assert.NotSame(before, broken.Now());
    }

    private static void Refused(TlsOptions options, params string[] words)
    {
        string message = Assert.Throws<ArgumentException>(() => CredentialProvider.FromString("https://localhost").WithTls(options)).Message;
        Assert.All(words, word => Assert.Contains(word, message, StringComparison.Ordinal));
    }

    private static CacheClient Connect(RunningServer server, Transport transport, TlsOptions options) => new(
        Configurations.Laptop.V1() with { Transport = transport },
        CredentialProvider.FromString($"https://127.0.0.1:{server.Port}").WithTls(options),
        TimeSpan.FromMinutes(1));

    private async Task<RunningServer> ServeAsync(string host, bool expired = false)
    {
        TlsOptions own = _files.Issue("server", host, expired);
        return await RunningServer.StartAsync(certificate: own.CertificateFile, key: own.KeyFile, clientAuthority: _files.Authority);
    }
}
