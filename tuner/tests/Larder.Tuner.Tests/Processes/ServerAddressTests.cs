using Larder.Tuner.Processes;

namespace Larder.Tuner.Tests.Processes;

public sealed class ServerAddressTests
{
    [Theory]
    [InlineData("127.0.0.1:19000", "127.0.0.1:19000", null, false)]
    [InlineData("127.0.0.1", "127.0.0.1:8080", null, false)]
    [InlineData("http://127.0.0.1", "127.0.0.1:8080", null, false)]
    [InlineData("https://host", "host:8080", null, true)]
    [InlineData("http://host:80/", "host:80", null, false)]
    [InlineData("larder://host:19000", "host:19000", null, false)]
    [InlineData("larders://a%20b@host:19000", "host:19000", "a b", true)]
    [InlineData("http://secret-tok@127.0.0.1:19010", "127.0.0.1:19010", "secret-tok", false)]
    [InlineData("http://[::1]:9000", "[::1]:9000", null, false)]
    public void Parse_accepts_same_addresses_as_command_line_client(string text, string endpoint, string? token, bool tls) =>
        Assert.Equal(new ServerAddress(endpoint, token, tls), ServerAddress.Parse(text, "--server"));

    [Theory]
    [InlineData("", "")]
    [InlineData("ftp://host:1", "ftp://host:1")]
    [InlineData("http://secret@host:99999", "http://…@host:99999")]
    [InlineData("http://secret@host:1/path", "http://…@host:1/path")]
    [InlineData("secret@host:0", "…@host:0")]
    [InlineData("http://", "http://")]
    public void Parse_rejects_invalid_address_without_showing_token(string text, string shown)
    {
        FormatException refused = Assert.Throws<FormatException>(() => ServerAddress.Parse(text, "--server"));
        Assert.Equal($"--server must be http[s]://[token@]host[:port] or host:port, but is \"{shown}\"", refused.Message);
    }

    [Fact]
    public void ParseConsole_rejects_token_and_TLS()
    {
        Assert.Equal("host:8081", ServerAddress.ParseConsole("http://host", "--console"));
        Assert.DoesNotContain(
            "secret",
            Assert.Throws<FormatException>(() => ServerAddress.ParseConsole("http://secret@host", "--console")).Message,
            StringComparison.Ordinal);
        Assert.Throws<FormatException>(() => ServerAddress.ParseConsole("https://host", "--console"));
    }
}
