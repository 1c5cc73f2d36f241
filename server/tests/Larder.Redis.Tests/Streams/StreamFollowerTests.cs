using System.Globalization;
using Larder.Harness.Redis;

namespace Larder.Redis.Tests.Streams;

/// <summary>Tests of following streams on one real server.</summary>
public sealed class StreamFollowerTests : IAsyncLifetime
{
    private readonly RedisServer _server = new();
    private TestStore _store = null!;
    private StreamFollower _follower = null!;

    public Task InitializeAsync()
    {
        _store = new TestStore(_server.Url).Ready();
        _follower = _store.Store.Follow(0);
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        await _follower.DisposeAsync();
        await _store.DisposeAsync();
        _server.Dispose();
    }

    [Fact]
    public async Task Follower_delivers_existing_and_new_entries_once_in_order()
    {
        TestStream stream = new("s");
        await AddAsync("s", 1, 3);
        _follower.Add(stream);
        UntilCount(stream, 3);
        await AddAsync("s", 4, 2_000);
        UntilCount(stream, 2_000);
        Assert.Equal(Entries(1, 2_000), stream.Entries);
        Assert.Equal((1, new StreamId(7, 2_000)), (stream.Openings, stream.Position));
    }

    [Fact]
    public async Task Stream_added_during_blocking_read_is_read_immediately()
    {
        TestStream[] streams = [.. Enumerable.Range(0, 200).Select(static number => new TestStream($"s{number}"))];
        for (int number = 0; number < streams.Length; number++)
        {
            await AddAsync($"s{number}", 1, 1);
            _follower.Add(streams[number]);
            UntilCount(streams[number], 1);
        }

        Assert.Equal((200, 1L, 200L), (_follower.Count, _follower.Connections, _follower.Entries));
        Assert.Contains("unblock", _server.Ask("info", "commandstats"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Removed_stream_delivers_nothing_and_last_removal_closes_the_connection()
    {
        Assert.Equal((0, false), (Readers(), _follower.IsConnected));
        TestStream kept = new("kept");
        TestStream removed = new("removed");
        _follower.Add(kept);
        _follower.Add(removed);
        await AddAsync("removed", 1, 1);
        UntilCount(removed, 1);
        Assert.Equal(1, Readers());
        _follower.Remove(removed);
        // A read that is in progress may still deliver entries. The next read does not.
        await AddAsync("kept", 1, 1);
        UntilCount(kept, 1);
        int openings = removed.Openings;
        await AddAsync("kept", 2, 2);
        UntilCount(kept, 2);
        int before = removed.Entries.Length;
        await AddAsync("removed", 2, 2);
        await AddAsync("kept", 3, 3);
        UntilCount(kept, 3);
        Assert.Equal((before, openings), (removed.Entries.Length, removed.Openings));
        _follower.Remove(kept);
        Eventually.Until(() => Readers() == 0, "its connection is closed");
        Assert.Null(_follower.WhyNot);
        _follower.Add(removed);
        UntilCount(removed, 2);
        Assert.Equal(2, _follower.Connections);
    }

    [Fact]
    public async Task Follower_resumes_after_last_entry_when_connection_is_lost()
    {
        TestStream stream = new("s");
        _follower.Add(stream);
        for (int round = 1; round <= 20; round++)
        {
            await AddAsync("s", round, round);
            _server.Ask("client", "kill", "id", ReaderIds().FirstOrDefault() ?? "0");
        }

        UntilCount(stream, 20);
        Assert.Equal(Entries(1, 20), stream.Entries);
        // Some connections may be closed before the stream is opened on them. Therefore, there may be fewer openings of the stream than connections.
        Assert.InRange(stream.Openings, 2, _follower.Connections);
    }

    [Fact]
    public async Task Follower_reconnects_when_server_stops_responding()
    {
        await using TestStore store = new(_server.Url, options => options with { SilenceLimit = TimeSpan.FromMilliseconds(200) });
        await using StreamFollower follower = store.Ready().Store.Follow(0);
        TestStream stream = new("s");
        follower.Add(stream);
        await AddAsync("s", 1, 1);
        UntilCount(stream, 1);
        _server.Pause();
        Eventually.Until(() => !follower.IsConnected && follower.WhyNot is not null, "the silence is noticed");
        _server.Resume();
        await AddAsync("s", 2, 2);
        UntilCount(stream, 2);
        Assert.True(stream.Openings > 1);
    }

    [Fact]
    public async Task Follower_reads_from_the_start_after_server_restarts_empty()
    {
        TestStream stream = new("s");
        _follower.Add(stream);
        await AddAsync("s", 1, 5);
        UntilCount(stream, 5);
        _server.Kill();
        Eventually.Until(() => !_follower.IsConnected, "the loss is noticed");
        _server.Restart();
        Eventually.Until(() => stream.Openings > 1, "it is opened again");
        await AddAsync("s", 2, 3);
        UntilCount(stream, 7);
        Assert.Equal(["7-2=2", "7-3=3"], stream.Entries[5..]);
    }

    [Fact]
    public async Task Stream_that_cannot_be_opened_is_retried_without_affecting_others()
    {
        _server.Ask("set", "wrong", "text");
        TestStream wrong = new("wrong");
        TestStream right = new("right");
        _follower.Add(wrong);
        _follower.Add(right);
        await AddAsync("right", 1, 1);
        UntilCount(right, 1);
        Eventually.Until(() => wrong.Failure is not null, "it says so");
        Assert.Equal(RedisFailureKind.WrongType, wrong.Failure!.Kind);
        _server.Ask("del", "wrong");
        await AddAsync("wrong", 1, 1);
        UntilCount(wrong, 1);
        Assert.Equal(1, _follower.Connections);
    }

    [Fact]
    public async Task Handler_exception_is_reported_and_other_streams_continue()
    {
        TestStream faulty = new("faulty") { Fault = new InvalidOperationException("mine") };
        TestStream sound = new("sound");
        _follower.Add(faulty);
        _follower.Add(sound);
        await AddAsync("faulty", 1, 3);
        await AddAsync("sound", 1, 3);
        UntilCount(sound, 3);
        Eventually.Until(() => _store.Notices.Count(static notice => notice.Message.Contains("mine", StringComparison.Ordinal)) == 3, "each is told");
        Assert.Equal(1, _follower.Connections);
    }

    [Fact]
    public async Task Entries_beyond_reply_size_limit_are_read_in_parts()
    {
        TestStream[] streams = [.. Enumerable.Range(0, 40).Select(static number => new TestStream($"s{number}"))];
        string value = new('v', 1 << 20);
        foreach (TestStream stream in streams)
        {
            string key = System.Text.Encoding.Latin1.GetString(stream.Key.Span);
            await _store.Call("XADD", "@" + key, "7-1", "v", value);
            await _store.Call("XADD", "@" + key, "7-2", "v", "small");
            _follower.Add(stream);
        }

        foreach (TestStream stream in streams)
        {
            UntilCount(stream, 2);
            Assert.Equal(["7-1=" + value, "7-2=small"], stream.Entries);
        }
    }

    [Fact]
    public async Task Adding_and_removing_streams_under_load_loses_no_entries()
    {
        using CancellationTokenSource stop = new();
        Task writing = Task.Run(async () =>
        {
            for (int number = 1; !stop.IsCancellationRequested; number++)
            {
                await Task.WhenAll(Enumerable.Range(0, 4).Select(stream => AddAsync($"s{stream}", number, number)));
            }
        });
        Random random = new(7);
        List<TestStream> followed = [];
        TestStream?[] present = new TestStream?[4];
        for (int round = 0; round < 200; round++)
        {
            int number = random.Next(4);
            if (present[number] is { } old)
            {
                _follower.Remove(old);
            }

            TestStream stream = present[number] = new($"s{number}");
            followed.Add(stream);
            _follower.Add(stream);
            UntilCount(stream, 1);
        }

        await stop.CancelAsync();
        await writing;
        Assert.All(followed, static stream => Assert.Equal(Entries(1, stream.Entries.Length), stream.Entries));
        Assert.Equal(1, _follower.Connections);
    }

    [Fact]
    public async Task Stream_is_reopened_periodically_on_the_same_connection()
    {
        _follower.OpensAgainAfter = TimeSpan.FromMilliseconds(50);
        TestStream stream = new("s");
        _follower.Add(stream);
        Eventually.Until(() => stream.Openings > 3, "it is opened again");
        await AddAsync("s", 1, 1);
        UntilCount(stream, 1);
        Assert.Equal(1, _follower.Connections);
    }

    [Fact]
    public async Task Stream_is_added_even_when_CLIENT_UNBLOCK_is_forbidden()
    {
        _server.Ask("acl", "setuser", "default", "-client|unblock");
        for (int number = 0; number < 3; number++)
        {
            TestStream stream = new($"s{number}");
            await AddAsync($"s{number}", 1, 1);
            _follower.Add(stream);
            UntilCount(stream, 1);
        }

        Assert.Equal(1, _follower.Connections);
    }

    [Fact]
    public async Task Dispose_closes_the_connection_and_stops_delivery()
    {
        TestStream stream = new("s");
        _follower.Add(stream);
        await AddAsync("s", 1, 1);
        UntilCount(stream, 1);
        await _follower.DisposeAsync();
        await _follower.DisposeAsync();
        Eventually.Until(() => Readers() == 0, "its connection is closed");
        await AddAsync("s", 2, 2);
        Assert.Single(stream.Entries);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(KeySlot.Count)]
    public void Follow_rejects_invalid_slot(int slot) => Assert.Throws<ArgumentOutOfRangeException>(() => _store.Store.Follow(slot));

    private static void UntilCount(TestStream stream, int count) =>
        Eventually.Until(() => stream.Entries.Length >= count, $"{count} entries have come");

    private static IEnumerable<string> Entries(int first, int last) =>
        Enumerable.Range(first, last - first + 1).Select(static number => string.Create(CultureInfo.InvariantCulture, $"7-{number}={number}"));

    private Task<string?[]> AddAsync(string key, int first, int last) => Task.WhenAll(
        Enumerable.Range(first, last - first + 1).Select(number => _store.Call("XADD", "@" + key, $"7-{number}", "v", $"{number}")));

    private string[] ReaderIds() =>
    [
        .. _server.Ask("client", "list").Split('\n').Where(static line => line.Contains("cmd=xread", StringComparison.Ordinal))
            .Select(static line => line.Split(' ')[0]["id=".Length..]),
    ];

    private int Readers() => ReaderIds().Length;
}
