using Larder.Harness.Redis;

namespace Larder.Harness.Tests.Redis;

public sealed class RedisServerTests
{
    [Fact]
    public async Task RedisServer_supports_commands_pause_kill_and_restart_on_same_port()
    {
        using RedisServer server = new("--requirepass", "s3cret", "--maxmemory", "7000000");
        Assert.Equal("OK", server.Ask("set", "key", "two\nlines"));
        Assert.Equal("two\nlines", server.Ask("get", "key"));
        Assert.Equal("", server.Ask("get", "none"));
        Assert.Equal("1", server.Ask("exists", "key"));
        Assert.Equal("maxmemory\n7000000", server.Ask("config", "get", "maxmemory"));
        Assert.Equal("3", server.AskAgain(3, "incr", "n"));
        Assert.StartsWith("ERR unknown command", server.Ask("nonsense"), StringComparison.Ordinal);

        server.Pause();
        Assert.Null(await server.AskAsync("ping"));
        server.Resume();
        Assert.Equal("PONG", server.Ask("ping"));

        int port = server.Port;
        server.Kill();
        Assert.Null(await server.AskAsync("ping"));
        server.Restart();
        Assert.Equal((port, ""), (server.Port, server.Ask("get", "key")));
    }

    [Fact]
    public void RedisServer_start_failure_reports_unknown_setting()
    {
        HarnessException failure = Assert.Throws<HarnessException>(() => new RedisServer("--no-such-setting", "1"));
        Assert.Contains("no-such-setting", failure.Message, StringComparison.Ordinal);
        Assert.Equal(1, failure.ExitCode);
    }

    [Fact]
    public void RedisCluster_covers_all_slots_and_has_connected_replicas()
    {
        using RedisCluster cluster = new(replicas: 1);
        Assert.Equal(4, cluster.Servers.Count);
        Assert.Equal(12_182, cluster.SlotOf("foo"));
        Assert.Equal("OK", cluster.Of("foo").Ask("set", "foo", "1"));
        Assert.StartsWith("slave", cluster.Servers[3].Ask("role"), StringComparison.Ordinal);
    }
}
