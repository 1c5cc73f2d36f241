using System.Globalization;

namespace Larder.Redis.Tests.Tracking;

/// <summary>
/// Tests of NEAR-40 and NEAR-41 with a fake server. Each test defines the replies of the server. The memory of the process is measured, so nothing else may run
/// at the same time.
/// </summary>
[Collection(nameof(SequentialTests))]
public sealed class TrackedReadTests
{
    private readonly TestWatch _watch = new();

    [Fact]
    public async Task Pushes_and_replies_are_delivered_in_arrival_order()
    {
        await using FakeServer server = new(static words => words[0] == "GET" && IsKey(words[1])
            ? $"{Push($"before {words[1]}")}${words[1].Length}\r\n{words[1]}\r\n{Push($"after {words[1]}")}{Push($"long after {words[1]}")}"
            : Tracking(words));
        await using TestStore store = Open(server);
        TrackedGet[] gets = [.. Enumerable.Range(0, 600).Select(number => new TrackedGet($"k{number}", () => _watch.Note($"k{number}")))];
        foreach (TrackedGet get in gets)
        {
            store.Store.Send(get);
        }

        store.Store.Flush();
        for (int number = 0; number < gets.Length; number++)
        {
            Assert.Equal(new TrackedAnswer($"k{number}", true, TtlOf($"k{number}")), await gets[number].Answer.WaitAsync(Eventually.Limit));
        }

        Eventually.Until(() => _watch.Notifications.Length == 4 * gets.Length, "all pushes are told");
        Assert.Equal(
            Enumerable.Range(0, gets.Length).SelectMany(number => (string[])[$"before k{number}", $"k{number}", $"after k{number}", $"long after k{number}"]),
            _watch.Notifications);
    }

    [Fact]
    public async Task Connection_loss_is_reported_after_the_preceding_tracked_reply()
    {
        int left = 1;
        bool ends = false;
        await using FakeServer server = new(words =>
        {
            if (words[0] == "GET" && IsKey(words[1]) && Interlocked.Decrement(ref left) >= 0)
            {
                Volatile.Write(ref ends, true);
                return Tracking(words);
            }

            // The GET of x follows on the same connection. Close the connection when it arrives.
            return words[0] == "GET" && words[1] == "x" && Volatile.Read(ref ends) ? "close" : Tracking(words);
        });
        await using TestStore store = Open(server);
        TrackedGet get = new("k1", () => _watch.Note("answered"));
        TrackedGet behind = new("x") { IsIdempotent = false };
        store.Store.Send(get);
        store.Store.Send(behind);
        store.Store.Flush();
        Assert.Equal(new TrackedAnswer("k1", true, TtlOf("k1")), await get.Answer.WaitAsync(Eventually.Limit));
        await Assert.ThrowsAsync<RedisFailedException>(() => behind.Answer.WaitAsync(Eventually.Limit));
        Eventually.Until(() => _watch.Losses > 0, "it is told");
        Assert.Equal(["answered", "*"], _watch.Notifications);
    }

    [Fact]
    public async Task Connection_loss_is_reported_before_the_call_is_retried()
    {
        int left = 1;
        await using FakeServer server = new(words => words[0] == "GET" && IsKey(words[1]) && Interlocked.Decrement(ref left) >= 0
            ? "close"
            : Tracking(words));
        await using TestStore store = Open(server);
        TrackedGet get = new("k1", () => _watch.Note("answered"));
        store.Store.Send(get);
        store.Store.Flush();
        Assert.Equal("k1", (await get.Answer.WaitAsync(Eventually.Limit)).Value);
        Assert.Equal(["*", "answered"], _watch.Notifications);
        Until(store, "it is tracked again");
    }

    [Theory]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n*1\r\n*1\r\n$1\r\nk\r\n")]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n:7\r\n")]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n*300000000\r\n")]
    [InlineData("*2\r\n:1\r\n>1\r\n+x\r\n")]
    [InlineData("+ONE TOO MANY\r\n")]
    [InlineData("many keys")]
    [InlineData("a long key")]
    public async Task Invalid_push_closes_connection_and_is_reported_as_loss(string push)
    {
        push = push switch
        {
            "many keys" => $">2\r\n$10\r\ninvalidate\r\n*2000000\r\n{string.Concat(Enumerable.Repeat("$1\r\nk\r\n", 2_000_000))}",
            "a long key" => $">2\r\n$10\r\ninvalidate\r\n*1\r\n$4000000\r\n{new string('k', 4_000_000)}\r\n",
            _ => push,
        };
        int left = 1;
        await using FakeServer server = new(words => words[0] == "GET" && IsKey(words[1]) && Interlocked.Decrement(ref left) >= 0
            ? $"{push}{Tracking(words)}"
            : Tracking(words));
        await using TestStore store = Open(server);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        await TrackedGet.AskAsync(store.Store, "k1");
        Eventually.Until(() => _watch.Notifications.Contains("*"), "it is told as a loss");
        Assert.True(GC.GetTotalMemory(forceFullCollection: true) - before < 16 * 1024 * 1024);
        Until(store, "it is tracked again");
        Assert.Equal("x", await store.Send(new TestCommand("GET", "@x") { IsIdempotent = true, Deadline = TestStore.Patiently }));
    }

    [Fact]
    public async Task Node_that_forbids_tracking_is_reported_and_serves_untracked_reads()
    {
        await using FakeServer server = new(static words => words[0] == "CLIENT"
            ? "-NOPERM this user has no permissions to run the 'client|tracking' command\r\n"
            : Tracking(words));
        await using TestStore store = new TestStore(server.Url).Ready();
        store.Store.Watch(_watch);
        Eventually.Until(() => store.Notices.Any(static notice => notice.Message.Contains("NOPERM", StringComparison.Ordinal)), "it is said");
        long number = store.Store.Confirm();
        for (int call = 0; call < 100; call++)
        {
            Assert.Equal(new TrackedAnswer("k1", false, -1), await TrackedGet.AskAsync(store.Store, "k1") with { TtlLeftMs = -1 });
        }

        Assert.True(store.Store.IsReady);
        Assert.True(_watch.Last < number);
        Assert.Empty(_watch.Notifications);
        Assert.Single(store.Notices);
    }

    [Fact]
    public async Task Late_reply_does_not_leak_its_TTL_to_next_call()
    {
        using SemaphoreSlim held = new(0);
        await using FakeServer server = new(words =>
        {
            if (words[0] == "PTTL" && words[1] == "k1")
            {
                held.Wait(Eventually.Limit);
            }

            return Tracking(words);
        });
        await using TestStore store = Open(server);
        TrackedGet late = new("k1") { Deadline = TestStore.Within(0.1) };
        TrackedGet next = new("k2");
        store.Store.Send(late);
        store.Store.Send(next);
        store.Store.Flush();
        Assert.Equal(RedisFailureKind.TimedOut, (await Assert.ThrowsAsync<RedisFailedException>(() => late.Answer.WaitAsync(Eventually.Limit))).Failure.Kind);
        held.Release();
        Assert.Equal(new TrackedAnswer("k2", true, TtlOf("k2")), await next.Answer.WaitAsync(Eventually.Limit));
    }

    [Theory]
    [InlineData("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", RedisFailureKind.WrongType)]
    [InlineData("-ERR no\r\n", RedisFailureKind.Other)]
    public async Task Error_of_tracked_read_is_reported_once(string error, RedisFailureKind kind)
    {
        await using FakeServer server = new(words => words[0] == "PTTL" || (words[0] == "GET" && words[1] == "k1") ? error : Tracking(words));
        await using TestStore store = Open(server);
        RedisFailedException failed = await Assert.ThrowsAsync<RedisFailedException>(() => TrackedGet.AskAsync(store.Store, "k1"));
        Assert.Equal(kind, failed.Failure.Kind);
        // Only the reply to PTTL was invalid, so the next read succeeds.
        Assert.Equal(new TrackedAnswer("k2", true, -1), await TrackedGet.AskAsync(store.Store, "k2"));
    }

    [Fact]
    public async Task ASK_redirect_makes_read_untracked_and_MOVED_redirect_keeps_tracking()
    {
        // k1 is being moved to the other server. k2 has already been moved.
        await using FakeServer other = new(Tracking);
        int port = 0;
        await using FakeServer server = new(words => (words[0], words[^1]) switch
        {
            ("GET" or "PTTL", "k1") => $"-ASK {KeySlot.Of("k1"u8)} 127.0.0.1:{other.Port}\r\n",
            ("GET" or "PTTL", "k2") => $"-MOVED {KeySlot.Of("k2"u8)} 127.0.0.1:{other.Port}\r\n",
            ("CLUSTER", _) => $"*2\r\n{Slots(0, 16_000, port)}{Slots(16_001, 16_383, other.Port)}",
            _ => Tracking(words, "cluster"),
        });
        port = server.Port;
        await using TestStore store = Open(server);
        TrackedAnswer asked = await TrackedGet.AskAsync(store.Store, "k1");
        Assert.Equal(("k1", false), (asked.Value, asked.IsTracked));
        Assert.Empty(_watch.Notifications);
        TrackedAnswer moved = await TrackedGet.AskAsync(store.Store, "k2");
        Assert.Equal(("k2", true), (moved.Value, moved.IsTracked));
        Assert.Contains("*", _watch.Notifications);
    }

    private static string Slots(int first, int last, int port) => $"*3\r\n:{first}\r\n:{last}\r\n*2\r\n+\r\n:{port}\r\n";

    private static bool IsKey(string word) => word.StartsWith('k');

    private static string Push(string key) => $">2\r\n$10\r\ninvalidate\r\n*1\r\n${key.Length}\r\n{key}\r\n";

    private static long TtlOf(string key) => long.TryParse(key.AsSpan(1), CultureInfo.InvariantCulture, out long number) ? 1_000 + number : -1;

    private static string Tracking(string[] words) => Tracking(words, "standalone");

    private static string Tracking(string[] words, string mode) => words[0] switch
    {
        "HELLO" => FakeServer.Honest(words).Replace("standalone", mode, StringComparison.Ordinal),
        "CLIENT" or "ASKING" => "+OK\r\n",
        "PTTL" => $":{TtlOf(words[1])}\r\n",
        _ => FakeServer.Honest(words),
    };

    private TestStore Open(FakeServer server)
    {
        TestStore store = new TestStore(server.Url).Ready();
        store.Store.Watch(_watch);
        Until(store, "it is tracked");
        return store;
    }

    // Requests a confirmation, and waits until it has arrived.
    private void Until(TestStore store, string what)
    {
        long number = store.Store.Confirm();
        Eventually.Until(() => _watch.Last >= number, what);
    }
}
