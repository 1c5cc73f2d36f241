using Larder.Harness.Redis;

namespace Larder.Redis.Tests;

/// <summary>Tests of FLEET-9 with a node timeout that is short enough for a test.</summary>
public sealed class FailoverTests
{
    [Fact]
    public async Task Failover_restores_slots_of_killed_master_without_affecting_other_slots()
    {
        using RedisCluster cluster = new(replicas: 1, nodeTimeoutMs: 2000);
        await using TestStore store = new TestStore(cluster.Url).Ready();
        RedisServer killed = cluster.Servers[0];
        string key = Enumerable.Range(0, 100).Select(static number => $"k{number}").First(key => cluster.Of(key) == killed);
        string other = Enumerable.Range(0, 100).Select(static number => $"k{number}").First(key => cluster.Of(key) != killed);
        Assert.Equal("OK", await store.Call("SET", $"@{key}", "kept"));
        Eventually.Until(() => cluster.Servers[3].Ask("dbsize") == "1", "the replica has it");
        killed.Kill();
        Task<string?> waiting = store.Send(new TestCommand("GET", $"@{key}") { IsIdempotent = true, Deadline = TestStore.Patiently });
        while (!waiting.IsCompleted)
        {
            Assert.Equal("OK", await store.Send(new TestCommand("SET", $"@{other}", "v") { Deadline = TestStore.Patiently }));
        }

        Assert.Equal("kept", await waiting);
        Assert.Equal("OK", await store.Call("SET", $"@{key}", "new"));
        string promoted = cluster.Servers[3].Endpoint;
        Eventually.Until(() => store.Store.Statistics().Nodes.Any(node => node.IsMaster && node.Name == promoted), "the map names it");
        Assert.True(store.Store.IsReady);
    }
}
