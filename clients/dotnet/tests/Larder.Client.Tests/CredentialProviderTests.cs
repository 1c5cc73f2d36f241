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
    public void A_text_says_scheme_token_host_and_port(string text, string endpoint, string token, bool secure)
    {
        CredentialProvider credentials = CredentialProvider.FromString(text);
        Assert.Equal((endpoint, token, secure), (credentials.Endpoint.ToString(), credentials.Token, credentials.IsSecure));
    }

    [Theory]
    [InlineData("127.0.0.1:9000")]
    [InlineData("redis://host")]
    [InlineData("not a url")]
    public void Anything_else_is_refused_without_repeating_it(string text) =>
        Assert.DoesNotContain(text, Assert.Throws<ArgumentException>(() => CredentialProvider.FromString(text)).Message, StringComparison.Ordinal);

    [Fact]
    public void A_token_is_never_printed() =>
        Assert.DoesNotContain("secret", CredentialProvider.FromString("https://secret@host").ToString(), StringComparison.Ordinal);

    [Fact]
    public void The_environment_variable_is_named_where_it_is_missing() =>
        Assert.Contains("LARDER_NO_SUCH", Assert.Throws<InvalidOperationException>(() => CredentialProvider.FromEnvironmentVariable("LARDER_NO_SUCH")).Message, StringComparison.Ordinal);

    [Fact]
    public void Local_is_plaintext_without_a_token()
    {
        CredentialProvider local = CredentialProvider.Local(port: 1234);
        Assert.Equal(("http://127.0.0.1:1234/", "", false), (local.Endpoint.ToString(), local.Token, local.IsSecure));
    }
}
