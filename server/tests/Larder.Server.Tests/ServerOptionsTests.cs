using System.Net;

namespace Larder.Server.Tests;

public sealed class ServerOptionsTests
{
    [Fact]
    public void The_defaults_are_valid() => new ServerOptions().Validate();

    [Fact]
    public void Beyond_loopback_without_token_or_tls_is_refused_with_the_remedy()
    {
        ServerOptionsException error = Assert.Throws<ServerOptionsException>(() => new ServerOptions { Host = IPAddress.Any }.Validate());
        Assert.Contains("--token", error.Message, StringComparison.Ordinal);
        Assert.Contains("--tls-cert", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Beyond_loopback_with_a_token_is_allowed() => new ServerOptions { Host = IPAddress.Any, Token = "t" }.Validate();

    [Fact]
    public void A_certificate_without_its_key_is_refused() =>
        Assert.Throws<ServerOptionsException>(() => new ServerOptions { TlsCertificatePath = "a.pem" }.Validate());

    [Fact]
    public void Too_little_memory_is_refused_naming_the_least() =>
        Assert.Contains("16 MiB", Assert.Throws<ServerOptionsException>(() => new ServerOptions { MemoryBytes = 1 }.Validate()).Message, StringComparison.Ordinal);

    [Fact]
    public void One_port_for_both_is_refused() =>
        Assert.Throws<ServerOptionsException>(() => new ServerOptions { Port = 9000, ConsolePort = 9000 }.Validate());

    [Fact]
    public void A_blank_default_cache_is_refused() =>
        Assert.Throws<ServerOptionsException>(() => new ServerOptions { DefaultCache = " " }.Validate());
}
