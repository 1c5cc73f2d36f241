using Larder.Harness.Redis;

namespace Larder.Redis.Tests;

/// <summary>Tests with one real server.</summary>
public sealed class SingleServerTests : IAsyncLifetime
{
    private readonly RedisServer _server = new("--maxmemory-policy", "volatile-lfu");
    private TestStore _store = null!;

    public Task InitializeAsync()
    {
        _store = new TestStore(_server.Url);
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        await _store.DisposeAsync();
        _server.Dispose();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData((64 * 1024) - 1)]
    [InlineData(64 * 1024)]
    [InlineData((64 * 1024) + 1)]
    [InlineData(1024 * 1024)]
    [InlineData(20 * 1024 * 1024)]
    public async Task Value_of_any_size_round_trips(int length)
    {
        string value = string.Create(length, length, static (room, _) =>
        {
            Random random = new(room.Length);
            for (int index = 0; index < room.Length; index++)
            {
                room[index] = (char)random.Next(256);
            }
        });
        value = value.StartsWith('@') ? " " + value[1..] : value;
        Assert.Equal("OK", await _store.Call("SET", "@k", value));
        Assert.Equal(value, await _store.Call("GET", "@k"));
        Assert.Equal("1", await _store.Call("DEL", "@k"));
        Assert.Null(await _store.Call("GET", "@k"));
    }

    [Fact]
    public async Task Single_server_is_reported_as_non_cluster()
    {
        Assert.Equal("PONG", await _store.Call("PING"));
        RedisStatistics statistics = _store.Store.Statistics();
        Assert.True(_store.Store.IsReady);
        Assert.False(statistics.IsCluster);
        Assert.Equal((KeySlot.Count, 1), (statistics.CoveredSlots, _store.Store.MasterCount));
        RedisNodeStatistics node = Assert.Single(statistics.Nodes);
        Assert.Equal((true, true, _server.Endpoint), (node.IsConnected, node.IsMaster, node.Name));
        Assert.Equal("larder", await _store.Call("CLIENT", "GETNAME"));
    }

    [Fact]
    public async Task Errors_are_mapped_to_failure_kinds()
    {
        await _store.Call("RPUSH", "@list", "a");
        await _store.Call("SET", "@text", "abc");
        await _store.Call("SET", "@most", "9223372036854775807");
        Assert.Equal(RedisFailureKind.WrongType, (await _store.Failure(new TestCommand("GET", "@list"))).Kind);
        Assert.Equal(RedisFailureKind.NotAnInteger, (await _store.Failure(new TestCommand("INCR", "@text"))).Kind);
        Assert.Equal(RedisFailureKind.Overflow, (await _store.Failure(new TestCommand("INCR", "@most"))).Kind);
        Assert.Equal(RedisFailureKind.Other, (await _store.Failure(new TestCommand("NONSENSE"))).Kind);
        RedisScript wrong = new("wrong", "return redis.call('GET', KEYS[1])");
        Assert.Equal(new { Kind = RedisFailureKind.WrongType, NotExecuted = false }, Shape(await _store.Failure(new TestCommand(wrong, "list"))));
        RedisScript own = new("own", "return redis.error_reply('MINE is this')");
        RedisFailure failure = await _store.Failure(new TestCommand(own, "k"));
        Assert.Equal(RedisFailureKind.Other, failure.Kind);
        Assert.StartsWith("MINE is this", failure.Message, StringComparison.Ordinal);
        Assert.Equal(1, _store.Store.Statistics().Failures[RedisFailureKind.Overflow]);
    }

    [Fact]
    public async Task Replies_of_every_kind_are_decoded()
    {
        await _store.Call("ZADD", "@z", "1.5", "a", "inf", "b");
        Assert.Equal("inf", await _store.Call("ZSCORE", "@z", "b"));
        Assert.Equal("[[a,1.5],[b,inf]]", await _store.Call("ZRANGE", "@z", "0", "-1", "WITHSCORES"));
        await _store.Call("HSET", "@h", "f", "v");
        Assert.Equal("[f,v]", await _store.Call("HGETALL", "@h"));
        await _store.Call("SADD", "@s", "m");
        Assert.Equal("[m]", await _store.Call("SMEMBERS", "@s"));
        Assert.Equal("", await _store.Call("LRANGE", "@none", "0", "-1"));
    }

    [Fact]
    public async Task Script_missing_on_server_is_sent_in_full()
    {
        RedisScript script = new("add", "return redis.call('INCRBY', KEYS[1], ARGV[1])");
        Assert.Equal("2", await _store.Send(new TestCommand(script, "n", "2")));
        Assert.Equal("OK", _server.Ask("script", "flush"));
        TestCommand[] commands = [.. Enumerable.Range(0, 100).Select(_ => new TestCommand(script, "n", "1"))];
        Assert.Equal(Enumerable.Range(3, 100).Sum(), (await Task.WhenAll(commands.Select(_store.Send))).Sum(static text => int.Parse(text!)));
    }

    [Fact]
    public async Task Scripts_are_loaded_on_connect()
    {
        RedisScript script = new("one", "return 'loaded'");
        await using TestStore store = new(_server.Url, options => options with { Scripts = [script] });
        await store.Call("PING");
        Assert.Equal("1", _server.Ask("script", "exists", System.Text.Encoding.ASCII.GetString(script.Digest)));
        Assert.Equal("loaded", await store.Send(new TestCommand(script, "k")));
    }

    [Fact]
    public async Task Late_reply_of_timed_out_call_is_discarded()
    {
        await _store.Call("SET", "@k", "mine");
        TestCommand unsent = new("SET", "@k", "late") { Deadline = 1 };
        Assert.Equal(new { Kind = RedisFailureKind.TimedOut, NotExecuted = true }, Shape(await _store.Failure(unsent)));
        _server.Pause();
        // The deadline is late enough that the command is sent before it, even if the machine is suspended for a moment.
        TestCommand sent = new("SET", "@other", "x") { Deadline = TestStore.Within(3) };
        Assert.Equal(new { Kind = RedisFailureKind.TimedOut, NotExecuted = false }, Shape(await _store.Failure(sent)));
        Task<string?> next = _store.Call("GET", "@k");
        _server.Resume();
        Assert.Equal("mine", await next);
        Eventually.Until(() => _store.Store.Statistics().Late == 1, "the late answer has come");
    }

    [Fact]
    public async Task Store_reconnects_after_server_restart()
    {
        Assert.Equal("PONG", await _store.Call("PING"));
        _server.Kill();
        Eventually.Until(() => !_store.Store.IsReady, "the loss is noticed");
        Assert.Contains(_server.Endpoint, _store.Store.WhyNotReady, StringComparison.Ordinal);
        Task<string?> call = _store.Send(new TestCommand("SET", "@k", "v") { Deadline = TestStore.Patiently });
        await _store.Unavailable("GET", "@k");
        _server.Restart();
        Assert.Equal("OK", await call);
        Assert.True(_store.Store.IsReady);
        Assert.Contains(_store.Notices, static notice => notice.IsWarning && notice.Message.Contains("is unreachable", StringComparison.Ordinal));
        Assert.Contains(_store.Notices, static notice => !notice.IsWarning && notice.Message.Contains("is reachable again", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Non_idempotent_call_fails_as_ambiguous_when_connection_is_lost()
    {
        await using TestStore store = new TestStore(_server.Url, static options => options with { SilenceLimit = TimeSpan.FromSeconds(3) }).Ready();
        await store.Call("PING");
        _server.Pause();
        Task<RedisFailure> once = store.Failure(new TestCommand("INCR", "@n"));
        Task<string?> twice = store.Send(new TestCommand("GET", "@n") { IsIdempotent = true, Deadline = TestStore.Patiently });
        // The silence lasts long enough for the watchdog to close the connection.
        Assert.Equal(new { Kind = RedisFailureKind.Ambiguous, NotExecuted = false }, Shape(await once));
        _server.Resume();
        Assert.Contains(await twice, (string?[])[null, "1"]);
    }

    [Fact]
    public async Task Pending_and_later_calls_fail_after_Dispose()
    {
        await _store.Call("PING");
        _server.Pause();
        Task<RedisFailure> sent = _store.Failure(new TestCommand("INCR", "@n"));
        await _store.DisposeAsync();
        Assert.Equal(RedisFailureKind.Ambiguous, (await sent).Kind);
        Assert.Equal(new { Kind = RedisFailureKind.Unavailable, NotExecuted = true }, Shape(await _store.Failure(new TestCommand("GET", "@n"))));
        _server.Resume();
    }

    [Fact]
    public async Task Unsuitable_maxmemory_policy_is_reported()
    {
        Assert.DoesNotContain(_store.Notices, static notice => notice.Message.Contains("maxmemory-policy", StringComparison.Ordinal));
        _server.Ask("config", "set", "maxmemory-policy", "allkeys-lru");
        await using TestStore store = new(_server.Url);
        await store.Call("PING");
        const string Advice = "maxmemory-policy allkeys-lru. Set maxmemory and maxmemory-policy volatile-lfu";
        Eventually.Until(() => store.Notices.Any(static notice => notice.Message.Contains(Advice, StringComparison.Ordinal)), "advice");
    }

    private static object Shape(RedisFailure failure) => new { failure.Kind, failure.NotExecuted };
}
