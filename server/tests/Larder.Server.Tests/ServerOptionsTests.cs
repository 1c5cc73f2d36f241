using System.Net;

namespace Larder.Server.Tests;

public sealed class ServerOptionsTests
{
    [Fact]
    public void Default_server_options_are_valid() => new ServerOptions().Validate();

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Non_loopback_host_without_authentication_requires_TLS_and_AllowAnyone(bool hasTls, bool allowAnyone)
    {
        ServerOptions options = new()
        {
            Host = IPAddress.Any,
            AllowAnyone = allowAnyone,
            TlsCertificatePath = hasTls ? "a.pem" : null,
            TlsKeyPath = hasTls ? "a.key" : null,
        };
        ServerOptionsException error = Assert.Throws<ServerOptionsException>(options.Validate);
        Assert.All(["--token-file", "--client-ca", "--allow-anyone"], remedy => Assert.Contains(remedy, error.Message, StringComparison.Ordinal));
    }

    [Fact]
    public void Non_loopback_host_allows_tokens_client_certificates_or_anonymous_TLS()
    {
        ServerOptions beyond = new() { Host = IPAddress.Any };
        ServerOptions withTls = beyond with { TlsCertificatePath = "a.pem", TlsKeyPath = "a.key" };
        (beyond with { Token = "t" }).Validate();
        (beyond with { TokenPath = "t.txt" }).Validate();
        (withTls with { ClientAuthorityPath = "ca.pem" }).Validate();
        (withTls with { AllowAnyone = true }).Validate();
    }

    [Fact]
    public void Validate_rejects_two_token_sources_and_client_authority_without_TLS()
    {
        Assert.Throws<ServerOptionsException>(() => new ServerOptions { Token = "t", TokenPath = "t.txt" }.Validate());
        Assert.Throws<ServerOptionsException>(() => new ServerOptions { ClientAuthorityPath = "ca.pem" }.Validate());
    }

    [Theory]
    [InlineData("")]
    [InlineData(":443")]
    [InlineData("example.com:0")]
    [InlineData("example.com:65536")]
    [InlineData("http://example.com")]
    [InlineData("example.com/path")]
    [InlineData("user@example.com")]
    [InlineData("::1")]
    [InlineData("a b")]
    public void Advertised_address_must_be_host_and_port(string advertised) =>
        Assert.Contains(
            "--advertise",
            Assert.Throws<ServerOptionsException>(() => new ServerOptions { Advertised = advertised }.Validate()).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Certificate_without_its_key_is_rejected() =>
        Assert.Throws<ServerOptionsException>(() => new ServerOptions { TlsCertificatePath = "a.pem" }.Validate());

    [Fact]
    public void Too_little_memory_is_rejected_naming_the_minimum() =>
        Assert.Contains(
            "16 MiB",
            Assert.Throws<ServerOptionsException>(() => new ServerOptions { MemoryBytes = 1 }.Validate()).Message,
            StringComparison.Ordinal);

    [Theory]
    [InlineData(0.999)]
    [InlineData(31_536_000.001)]
    [InlineData(315_360_000)]
    public void Max_TTL_outside_1_second_to_365_days_is_rejected(double seconds) =>
        Assert.Contains(
            "--max-ttl",
            Assert.Throws<ServerOptionsException>(() => new ServerOptions { MaxTtl = TimeSpan.FromSeconds(seconds) }.Validate()).Message,
            StringComparison.Ordinal);

    [Theory]
    [InlineData(1)]
    [InlineData(31_536_000)]
    public void Max_TTL_of_1_second_to_365_days_is_valid(int seconds) => new ServerOptions { MaxTtl = TimeSpan.FromSeconds(seconds) }.Validate();

    [Theory]
    [InlineData(1, 1, 0.1)]
    [InlineData(1_000_000, 1_000_000, 4)]
    public void Topic_limits_are_valid_at_their_bounds(int topics, int subscribers, double heartbeat) => OfTopics(topics, subscribers, heartbeat).Validate();

    [Theory]
    [InlineData(0, 1, 1, "--max-topics")]
    [InlineData(1_000_001, 1, 1, "--max-topics")]
    [InlineData(1, 0, 1, "--max-topic-subscribers")]
    [InlineData(1, 1_000_001, 1, "--max-topic-subscribers")]
    [InlineData(1, 1, 0.0999, "--topic-heartbeat")]
    [InlineData(1, 1, 4.001, "--topic-heartbeat")]
    public void Topic_limits_outside_their_bounds_are_rejected(int topics, int subscribers, double heartbeat, string option) =>
        Assert.Contains(
            option,
            Assert.Throws<ServerOptionsException>(OfTopics(topics, subscribers, heartbeat).Validate).Message,
            StringComparison.Ordinal);

    [Theory]
    [InlineData(100)]
    [InlineData(10_000)]
    public void Stream_limit_of_100_to_10000_is_valid(int streams) =>
        new ServerOptions { MaxStreamsPerConnection = streams }.Validate();

    [Theory]
    [InlineData(99)]
    [InlineData(10_001)]
    public void Stream_limit_outside_100_to_10000_is_rejected(int streams) =>
        Assert.Contains(
            "--max-streams",
            Assert.Throws<ServerOptionsException>(() => new ServerOptions { MaxStreamsPerConnection = streams }.Validate()).Message,
            StringComparison.Ordinal);

    [Theory]
    [InlineData(1)]
    [InlineData(20_000)]
    public void Near_stream_limit_of_1_to_20000_is_valid(int streams) => new ServerOptions { MaxNearStreams = streams }.Validate();

    [Theory]
    [InlineData(0)]
    [InlineData(20_001)]
    [InlineData(200_000)]
    public void Near_stream_limit_outside_1_to_20000_is_rejected(int streams) =>
        Assert.Contains(
            "--max-near-streams",
            Assert.Throws<ServerOptionsException>(() => new ServerOptions { MaxNearStreams = streams }.Validate()).Message,
            StringComparison.Ordinal);

    private static ServerOptions OfTopics(int topics, int subscribers, double heartbeat) =>
        new() { MaxTopicsPerCache = topics, MaxTopicSubscribers = subscribers, TopicHeartbeat = TimeSpan.FromSeconds(heartbeat) };

    [Fact]
    public void Same_port_for_data_and_console_is_rejected() =>
        Assert.Throws<ServerOptionsException>(() => new ServerOptions { Port = 9000, ConsolePort = 9000 }.Validate());

    [Fact]
    public void Snapshot_of_a_cluster_store_is_rejected() =>
        Assert.Contains(
            "a gateway stores no items",
            Assert.Throws<ServerOptionsException>(() => new ServerOptions { Store = "redis://127.0.0.1:7000", SnapshotPath = "f" }.Validate()).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Empty_snapshot_path_is_rejected() => Assert.Throws<ServerOptionsException>(() => new ServerOptions { SnapshotPath = "" }.Validate());

    [Fact]
    public void Blank_default_cache_is_rejected() =>
        Assert.Throws<ServerOptionsException>(() => new ServerOptions { DefaultCache = " " }.Validate());
}
