using Larder.Client.Tests.Support;

namespace Larder.Client.Tests;

public sealed class CredentialProviderTests
{
    [Theory]
    [InlineData("http://127.0.0.1:9000", "http://127.0.0.1:9000/", "", false)]
    [InlineData("http://cache.example", "http://cache.example:8080/", "", false)]
    [InlineData("https://secret@cache.example:443", "https://cache.example/", "secret", true)]
    [InlineData("https://s%40c@cache.example:7000", "https://cache.example:7000/", "s@c", true)]
    [InlineData("http://[::1]:81", "http://[::1]:81/", "", false)]
    [InlineData("http://[::1]", "http://[::1]:8080/", "", false)]
    [InlineData("HTTP://cache_1/", "http://cache_1:8080/", "", false)]
    [InlineData("larder://127.0.0.1:9000", "http://127.0.0.1:9000/", "", false)]
    [InlineData("larders://secret@cache.example", "https://cache.example:8080/", "secret", true)]
    public void FromString_parses_scheme_token_host_and_port(string text, string endpoint, string token, bool secure)
    {
        CredentialProvider credentials = CredentialProvider.FromString(text);
        Assert.Equal((endpoint, token, secure), (credentials.Endpoint.ToString(), credentials.Token, credentials.IsSecure));
    }

    [Theory]
    [InlineData("127.0.0.1:9000", "http[s]://[token@]host[:port]")]
    [InlineData("s3cret", "http[s]://[token@]host[:port]")]
    [InlineData("redis://s3cret@host", "Invalid server address 'redis://…@host': the scheme 'redis://' is not supported")]
    [InlineData("http://s3cret@host:99999", "Invalid server address 'http://…@host:99999': the port must be 1 to 65535, but is '99999'")]
    [InlineData("http://host:", "the port must be 1 to 65535, but is ''")]
    [InlineData("http://host:0", "the port must be 1 to 65535, but is '0'")]
    [InlineData("http://s3cret@", "its host is invalid")]
    [InlineData("http://host:8080/path", "Invalid server address 'http://host:8080/path': it must not have a path")]
    [InlineData("http://host?s3cret@x", "a path or query")]
    [InlineData("http://s3cret/s3cret@host", "a path")]
    public void FromString_rejects_invalid_addresses_without_printing_the_token(string text, string why)
    {
        string message = Assert.Throws<ArgumentException>(() => CredentialProvider.FromString(text)).Message;
        Assert.Contains(why, message, StringComparison.Ordinal);
        Assert.DoesNotContain("s3cret", message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Client_accepts_a_url()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = new(Configurations.Laptop.Latest(), $"http://127.0.0.1:{server.Port}", TimeSpan.FromMinutes(1));
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
        Assert.ThrowsAny<ArgumentException>(static () => new CacheClient(Configurations.Laptop.Latest(), "ftp://127.0.0.1", TimeSpan.FromMinutes(1)));
        Assert.ThrowsAny<ArgumentException>(static () => new CacheClient(Configurations.Laptop.Latest(), (string)null!, TimeSpan.FromMinutes(1)));
    }

    [Fact]
    public void FromEnvironmentVariable_error_names_variable_with_invalid_address()
    {
        Environment.SetEnvironmentVariable("LARDER_TEST_ADDRESS", "http://host:99999");
        string message = Assert.Throws<ArgumentException>(() => CredentialProvider.FromEnvironmentVariable("LARDER_TEST_ADDRESS")).Message;
        Assert.StartsWith("LARDER_TEST_ADDRESS: Invalid server address 'http://host:99999'", message, StringComparison.Ordinal);
    }

    [Fact]
    public void ToString_contains_no_token() =>
        Assert.DoesNotContain("secret", CredentialProvider.FromString("https://secret@host").ToString(), StringComparison.Ordinal);

    [Fact]
    public void FromEnvironmentVariable_error_names_the_missing_variable() =>
        Assert.Contains(
            "LARDER_NO_SUCH",
            Assert.Throws<InvalidOperationException>(() => CredentialProvider.FromEnvironmentVariable("LARDER_NO_SUCH")).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Local_is_plaintext_without_a_token()
    {
        CredentialProvider local = CredentialProvider.Local(port: 1234);
        Assert.Equal(("http://127.0.0.1:1234/", "", false), (local.Endpoint.ToString(), local.Token, local.IsSecure));
    }

    [Fact]
    public void Address_list_hides_tokens_and_WithToken_replaces_all_tokens()
    {
        CredentialProvider fleet = CredentialProvider.FromString("http://s3cret@a:7000,http://b:7000");
        Assert.Equal("http://a:7000/ (with a token), http://b:7000/", fleet.ToString());
        CredentialProvider other = fleet.WithToken("other");
        Assert.Equal(["other", "other"], other.Gateways.Select(static gateway => gateway.Token));
        Assert.Equal(fleet.Endpoints, other.Endpoints);
    }

    [Theory]
    [InlineData(64, true)]
    [InlineData(65, false)]
    public void Address_list_has_at_most_64_entries(int count, bool isTaken)
    {
        string list = string.Join(',', Enumerable.Range(1, count).Select(static port => $"http://127.0.0.1:{port}"));
        Exception? refused = Record.Exception(() => CredentialProvider.FromString(list));
        Assert.Equal(isTaken, refused is null);
        Assert.True(isTaken || refused!.Message.Contains("65 addresses; a client supports at most 64", StringComparison.Ordinal));
    }
}
