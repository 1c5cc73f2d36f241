using System.Globalization;
using Larder.Harness.Redis;
using Larder.Wire.Sockets;

namespace Larder.Redis.Tests.Tracking;

/// <summary>Tests of NEAR-40 to NEAR-42 with a real server: which messages the server sends, and when it is certain that no message is missing.</summary>
public sealed class TrackingServerTests : IAsyncLifetime
{
    private const string LongTtl = "60000";

    private readonly RedisServer _server = new();
    private readonly TestWatch _watch = new();
    private TestStore _store = null!;

    public Task InitializeAsync()
    {
        _store = new TestStore(_server.Url).Ready();
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        await _store.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task Tracked_connections_exist_only_while_a_watch_is_set()
    {
        await _store.Call("GET", "@k");
        Assert.Equal(0, TrackedConnections());
        Assert.False((await TrackedGet.AskAsync(_store.Store, "k")).IsTracked);
        for (int round = 0; round < 3; round++)
        {
            Watch();
            Assert.Equal(Reactor.IsDefault ? Reactor.Count : 1, TrackedConnections());
            Assert.True((await TrackedGet.AskAsync(_store.Store, "k")).IsTracked);
            _store.Store.Watch(null);
            Eventually.Until(() => TrackedConnections() == 0, "they are let go");
        }

        Assert.False((await TrackedGet.AskAsync(_store.Store, "k")).IsTracked);
    }

    [Theory]
    [InlineData("SET", "k", "new")]
    [InlineData("SET", "k", "new", "PX", LongTtl)]
    [InlineData("DEL", "k")]
    [InlineData("UNLINK", "k")]
    [InlineData("PEXPIRE", "k", "5000")]
    [InlineData("PERSIST", "k")]
    [InlineData("APPEND", "k", "more")]
    [InlineData("RENAME", "k", "other")]
    [InlineData("EVAL", "return redis.call('SET', KEYS[1], 'new')", "1", "k")]
    public async Task Write_invalidates_key_once_per_tracked_read(params string[] write)
    {
        Watch();
        for (int round = 0; round < 2; round++)
        {
            _server.Ask("SET", "k", "old", "PX", LongTtl);
            _watch.Forget();
            TrackedAnswer answer = await TrackedGet.AskAsync(_store.Store, "k");
            Assert.Equal(("old", true), (answer.Value, answer.IsTracked));
            Assert.InRange(answer.TtlLeftMs, 1, long.Parse(LongTtl, CultureInfo.InvariantCulture));
            _server.Ask(write);
            _server.Ask("SET", "k", "newer");
            await ConfirmAsync();
            Assert.Equal(["k"], _watch.Notifications);
        }
    }

    [Fact]
    public async Task Tracked_read_returns_minus_one_for_key_without_TTL()
    {
        Watch();
        _server.Ask("SET", "k", "v");
        Assert.Equal(new TrackedAnswer("v", true, -1), await TrackedGet.AskAsync(_store.Store, "k"));
        Assert.Equal(new TrackedAnswer(null, true, -2), await TrackedGet.AskAsync(_store.Store, "none"));
    }

    [Fact]
    public async Task Expired_key_is_invalidated()
    {
        Watch();
        _server.Ask("SET", "k", "v", "PX", "200");
        await TrackedGet.AskAsync(_store.Store, "k");
        Eventually.Until(() => _watch.Notifications is ["k"], "it is told");
    }

    [Theory]
    [InlineData("FLUSHALL")]
    [InlineData("FLUSHDB", "ASYNC")]
    public async Task Flush_is_reported_as_loss(params string[] flush)
    {
        Watch();
        await TrackedGet.AskAsync(_store.Store, "k");
        _server.Ask(flush);
        await ConfirmAsync();
        Assert.Contains("*", _watch.Notifications);
    }

    [Fact]
    public async Task Killed_tracked_connection_is_reported_as_loss_and_tracking_resumes()
    {
        Watch();
        for (int round = 0; round < 5; round++)
        {
            _watch.Forget();
            await TrackedGet.AskAsync(_store.Store, "k");
            foreach (string id in TrackedIds())
            {
                _server.Ask("CLIENT", "KILL", "ID", id);
            }

            // The change of the key is not reported, because the server stopped tracking the key when the connection was closed.
            _server.Ask("SET", "k", "new");
            await ConfirmAsync();
            Assert.Contains("*", _watch.Notifications);
            Assert.True((await TrackedGet.AskAsync(_store.Store, "k")).IsTracked);
        }
    }

    [Fact]
    public async Task Paused_server_confirms_nothing_until_it_resumes()
    {
        Watch();
        await TrackedGet.AskAsync(_store.Store, "k");
        _server.Pause();
        long number = _store.Store.Confirm();
        Eventually.Until(() => _watch.Losses > 0, "it is given up");
        Assert.True(_watch.Last < number);
        _server.Resume();
        Eventually.Until(() => _watch.Last >= number, "it confirms");
    }

    [Fact]
    public async Task Invalidations_of_earlier_writes_arrive_before_confirmation()
    {
        Watch();
        for (int round = 0; round < 20; round++)
        {
            string[] keys = [.. Enumerable.Range(0, 200).Select(number => $"{round}.{number}")];
            await Task.WhenAll(keys.Select((key, number) =>
            {
                TrackedGet get = new(key) { Lane = number };
                _store.Store.Send(get);
                _store.Store.Flush();
                return get.Answer.WaitAsync(Eventually.Limit);
            }));
            _watch.Forget();
            _server.Ask(["MSET", .. keys.SelectMany(static key => (string[])[key, "v"])]);
            await ConfirmAsync();
            Assert.Equal(keys.Order(), _watch.Notifications.Order());
        }
    }

    [Fact]
    public async Task Concurrent_confirmations_share_barrier_reads()
    {
        Watch();
        string before = Reads();
        long[] numbers = [.. Enumerable.Range(0, 100).Select(_ => _store.Store.Confirm())];
        Eventually.Until(() => _watch.Last >= numbers.Max(), "it confirms");
        int attempts = numbers.Distinct().Count();
        Assert.InRange(attempts, 1, 2);
        await ConfirmAsync();
        int reads = int.Parse(Reads(), CultureInfo.InvariantCulture) - int.Parse(before, CultureInfo.InvariantCulture);
        Assert.InRange(reads, 1, (attempts + 1) * (Reactor.IsDefault ? Reactor.Count : 1));
    }

    private string Reads() =>
        _server.Ask("INFO", "commandstats").Split('\n').First(static line => line.StartsWith("cmdstat_get:", StringComparison.Ordinal)).Split('=', ',')[1];

    private void Watch()
    {
        _store.Store.Watch(_watch);
        Eventually.Until(() => TrackedConnections() > 0, "there are tracked connections");
        ConfirmAsync().GetAwaiter().GetResult();
        _watch.Forget();
    }

    private Task ConfirmAsync()
    {
        long number = _store.Store.Confirm();
        return Eventually.UntilAsync(() => Task.FromResult(_watch.Last >= number), "it confirms");
    }

    private int TrackedConnections() => TrackedIds().Count();

    private IEnumerable<string> TrackedIds() =>
        from line in _server.Ask("CLIENT", "LIST").Split('\n')
        let flags = line.Split(' ').FirstOrDefault(static field => field.StartsWith("flags=", StringComparison.Ordinal))
        where flags?.Contains('t', StringComparison.Ordinal) == true
        select line.Split(' ')[0]["id=".Length..];
}
