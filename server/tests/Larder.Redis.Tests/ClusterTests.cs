using System.Globalization;
using Larder.Harness.Redis;

namespace Larder.Redis.Tests;

/// <summary>Tests with a real cluster of three masters.</summary>
public sealed class ClusterTests : IAsyncLifetime
{
    private readonly RedisCluster _cluster = new();
    private TestStore _store = null!;

    public async Task InitializeAsync()
    {
        // Only one node is configured. The store discovers the others.
        _store = new TestStore(_cluster.Servers[1].Url).Ready();
        await _store.Call("GET", "@k");
    }

    public async Task DisposeAsync()
    {
        await _store.DisposeAsync();
        _cluster.Dispose();
    }

    [Fact]
    public async Task Ten_thousand_commands_across_three_masters_get_their_own_replies()
    {
        for (int batch = 0; batch < 5; batch++)
        {
            TestCommand[] sets = [.. Enumerable.Range(batch * 1000, 1000).Select(static number => new TestCommand("SET", Key(number), Value(number)))];
            TestCommand[] gets = [.. Enumerable.Range(batch * 1000, 1000).Select(static number => new TestCommand("GET", Key(number)))];
            foreach (TestCommand command in sets.Concat(gets))
            {
                _store.Store.Send(command);
            }

            _store.Store.Flush();
            for (int index = 0; index < gets.Length; index++)
            {
                // The commands were sent in order on the same connection, so the value exists.
                Assert.Equal("OK", await sets[index].Answer.WaitAsync(Eventually.Limit));
                Assert.Equal(Value((batch * 1000) + index), await gets[index].Answer.WaitAsync(Eventually.Limit));
            }
        }

        RedisStatistics statistics = _store.Store.Statistics();
        Assert.Equal((true, KeySlot.Count, 3), (statistics.IsCluster, statistics.CoveredSlots, _store.Store.MasterCount));
        Assert.Equal((0L, 0L), (statistics.Moved, statistics.Retried));
        Assert.All(statistics.Nodes, static node => Assert.True(node.IsConnected && node.Slots > 5000 && node.Latency > TimeSpan.Zero));
    }

    [Fact]
    public async Task SendTo_reaches_each_master_by_index()
    {
        string?[] ids = await Task.WhenAll(Enumerable.Range(0, 3).Select(master =>
        {
            TestCommand command = new("CLUSTER", "MYID");
            _store.Store.SendTo(master, command);
            _store.Store.Flush();
            return command.Answer.WaitAsync(Eventually.Limit);
        }));
        Assert.Equal(_cluster.Servers.Select(static server => server.Ask("cluster", "myid")).Order(), ids.Order());
        TestCommand none = new("PING");
        _store.Store.SendTo(3, none);
        Assert.Equal(RedisFailureKind.Unavailable, (await Assert.ThrowsAsync<RedisFailedException>(() => none.Answer)).Failure.Kind);
    }

    [Fact]
    public async Task No_call_fails_or_loses_its_write_during_slot_migration()
    {
        const string Tag = "{moving}";
        RedisServer from = _cluster.Of("moving");
        RedisServer to = _cluster.Servers.First(server => server != from);
        string slot = _cluster.SlotOf("moving").ToString(CultureInfo.InvariantCulture);
        for (int number = 0; number < 200; number++)
        {
            await _store.Call("SET", $"@{Tag}{number}", "0");
        }

        int rounds = 0;
        using CancellationTokenSource stop = new();
        Task[] callers = [.. Enumerable.Range(0, 8).Select(caller => Task.Run(async () =>
        {
            // Each key is used by only one caller, which therefore knows the value of the key.
            for (int round = 1; !stop.IsCancellationRequested; round++)
            {
                Interlocked.Increment(ref rounds);
                for (int number = caller; number < 200; number += 8)
                {
                    Assert.Equal(round.ToString(CultureInfo.InvariantCulture), await _store.Call("INCR", $"@{Tag}{number}"));
                }
            }
        }))];
        await Eventually.UntilAsync(() => Task.FromResult(Volatile.Read(ref rounds) > 8), "callers are at work");
        to.Ask("cluster", "setslot", slot, "importing", from.Ask("cluster", "myid"));
        from.Ask("cluster", "setslot", slot, "migrating", to.Ask("cluster", "myid"));
        string toPort = to.Port.ToString(CultureInfo.InvariantCulture);
        for (int number = 0; number < 200; number += 2)
        {
            Assert.Equal("OK", from.Ask("migrate", "127.0.0.1", toPort, $"{Tag}{number}", "0", "60000"));
        }

        int before = Volatile.Read(ref rounds);
        await Eventually.UntilAsync(() => Task.FromResult(Volatile.Read(ref rounds) > before + 8), "calls go on in mid-migration");
        Assert.True(_store.Store.Statistics().Asked > 0);
        for (int number = 1; number < 200; number += 2)
        {
            Assert.Equal("OK", from.Ask("migrate", "127.0.0.1", toPort, $"{Tag}{number}", "0", "60000"));
        }

        string id = to.Ask("cluster", "myid");
        to.Ask("cluster", "setslot", slot, "node", id);
        from.Ask("cluster", "setslot", slot, "node", id);
        before = Volatile.Read(ref rounds);
        await Eventually.UntilAsync(() => Task.FromResult(Volatile.Read(ref rounds) > before + 16), "calls go on after it");
        await stop.CancelAsync();
        await Task.WhenAll(callers).WaitAsync(Eventually.Limit);
        RedisStatistics statistics = _store.Store.Statistics();
        Assert.True(statistics.Moved > 0);
        Assert.Empty(statistics.Failures);
    }

    [Fact]
    public async Task Multi_key_call_retries_TRYAGAIN_until_slot_has_migrated()
    {
        RedisServer from = _cluster.Of("half");
        RedisServer to = _cluster.Servers.First(server => server != from);
        string slot = _cluster.SlotOf("half").ToString(CultureInfo.InvariantCulture);
        string toPort = to.Port.ToString(CultureInfo.InvariantCulture);
        await _store.Call("MSET", "@{half}1", "a", "@{half}2", "b");
        to.Ask("cluster", "setslot", slot, "importing", from.Ask("cluster", "myid"));
        from.Ask("cluster", "setslot", slot, "migrating", to.Ask("cluster", "myid"));
        from.Ask("migrate", "127.0.0.1", toPort, "{half}1", "0", "60000");
        TestCommand both = new("MGET", "@{half}1", "@{half}2") { Deadline = TestStore.Patiently };
        Task<string?> answer = _store.Send(both);
        Eventually.Until(() => _store.Store.Statistics().Retried > 2, "TRYAGAIN was met");
        from.Ask("migrate", "127.0.0.1", toPort, "{half}2", "0", "60000");
        Assert.Equal("[a,b]", await answer);
    }

    [Fact]
    public async Task Stopped_node_fails_its_own_calls_without_delaying_other_calls()
    {
        RedisServer stopped = _cluster.Of("stopped");
        string other = Enumerable.Range(0, 100).Select(static number => $"o{number}").First(key => _cluster.Of(key) != stopped);
        stopped.Pause();
        Task<RedisFailure>[] lost = [.. Enumerable.Range(0, 50).Select(_ => _store.Failure(new TestCommand("INCR", "@stopped")))];
        int answered = 0;
        for (; answered < 50 && !lost.Any(static task => task.IsCompleted); answered++)
        {
            Assert.Equal("OK", await _store.Send(new TestCommand("SET", $"@{other}", "v") { Deadline = TestStore.Patiently }));
        }

        // None of these commands waited for the stopped node.
        Assert.Equal(50, answered);
        // The watchdog's limit has passed, so the pending calls failed as ambiguous. Further calls fail and do not wait forever.
        Assert.All(await Task.WhenAll(lost), static failure => Assert.Equal(RedisFailureKind.Ambiguous, failure.Kind));
        RedisFailure late = await _store.Failure(new TestCommand("GET", "@stopped") { Deadline = TestStore.Within(0.5) });
        Assert.Contains(late.Kind, (RedisFailureKind[])[RedisFailureKind.Unavailable, RedisFailureKind.TimedOut]);
        Assert.True(late.NotExecuted);
        stopped.Resume();
        await _store.Send(new TestCommand("GET", "@stopped") { Deadline = TestStore.Patiently });
    }

    [Fact]
    public async Task Calls_recover_after_all_masters_restart()
    {
        foreach (RedisServer server in _cluster.Servers)
        {
            server.Kill();
        }

        Eventually.Until(() => !_store.Store.IsReady, "the loss is noticed");
        await _store.Unavailable("GET", "@k");
        Task<string?> call = _store.Send(new TestCommand("SET", "@k", "v") { Deadline = TestStore.Patiently });
        foreach (RedisServer server in _cluster.Servers)
        {
            server.Restart();
        }

        Assert.Equal("OK", await call);
        _store.Ready();
    }

    [Fact]
    public async Task Store_starts_without_cluster_and_connects_when_cluster_is_up()
    {
        foreach (RedisServer server in _cluster.Servers)
        {
            server.Kill();
        }

        await using TestStore store = new(_cluster.Url);
        Eventually.Until(() => store.Store.WhyNotReady is { } why && why.Contains("refused", StringComparison.OrdinalIgnoreCase), "it says why");
        Assert.False(store.Store.IsReady);
        Assert.Null(store.Store.Statistics().IsCluster);
        foreach (RedisServer server in _cluster.Servers)
        {
            server.Restart();
        }

        Assert.Equal("OK", await store.Send(new TestCommand("SET", "@k", "v") { Deadline = TestStore.Patiently }));
        Assert.True(store.Store.IsReady);
    }

    private static string Key(int number) => $"@key{number.ToString(CultureInfo.InvariantCulture)}";

    private static string Value(int number) => $"value of {number.ToString(CultureInfo.InvariantCulture)}";
}
