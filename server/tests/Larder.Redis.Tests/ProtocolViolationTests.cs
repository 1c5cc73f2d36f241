namespace Larder.Redis.Tests;

/// <summary>Tests with a server that violates the protocol. Each call must end, and must not return the reply to another call.</summary>
public sealed class ProtocolViolationTests
{
    [Fact]
    public async Task Push_between_replies_does_not_shift_replies()
    {
        await using FakeServer server = new(static words => words[0] == "GET"
            ? $">2\r\n+invalidate\r\n*1\r\n$1\r\nk\r\n${words[1].Length}\r\n{words[1]}\r\n>1\r\n+bye\r\n"
            : FakeServer.Honest(words));
        await using TestStore store = new TestStore(server.Url).Ready();
        for (int number = 0; number < 100; number++)
        {
            Assert.Equal($"k{number}", await store.Call("GET", $"@k{number}"));
        }
    }

    [Theory]
    [InlineData("HTTP/1.1 400 Bad Request\r\n\r\n")]
    [InlineData("$99999999999\r\n")]
    [InlineData("+OK\r\n+ONE TOO MANY\r\n")]
    [InlineData("*1\r\n*1\r\n>1\r\n+x\r\n")]
    [InlineData("close")]
    public async Task Protocol_violation_closes_the_connection_and_fails_pending_calls(string answer)
    {
        await using FakeServer server = new(words => words[0] == "BREAK" ? answer : FakeServer.Honest(words));
        await using TestStore store = new TestStore(server.Url).Ready();
        TestCommand command = new("BREAK", "@k");
        TestCommand behind = new("GET", "@k") { Deadline = TestStore.Patiently, IsIdempotent = true };
        store.Store.Send(command);
        store.Store.Send(behind);
        store.Store.Flush();
        try
        {
            Assert.Equal("OK", await command.Answer.WaitAsync(Eventually.Limit));
            Assert.StartsWith("+OK", answer, StringComparison.Ordinal);
        }
        catch (RedisFailedException error)
        {
            Assert.Equal(RedisFailureKind.Ambiguous, error.Failure.Kind);
        }

        // The call was retried on another connection. It may have received the surplus reply as its own reply, which cannot be detected.
        Assert.Contains(await behind.Answer.WaitAsync(Eventually.Limit), (string?[])["k", "ONE TOO MANY"]);
        Task<string?> SendAsync() => store.Send(new TestCommand("GET", "@x") { IsIdempotent = true, Deadline = TestStore.Patiently });
        if (answer.StartsWith("+OK", StringComparison.Ordinal))
        {
            // If the surplus reply was taken for the reply to a call, the following calls receive the reply to the previous call. The store detects the error
            // when a reply arrives while no call is waiting.
            await Eventually.UntilAsync(async () => await SendAsync() == "x", "answers are their own calls' again");
            return;
        }

        Assert.Equal("x", await SendAsync());
    }

    [Fact]
    public async Task Surplus_reply_closes_the_connection()
    {
        await using FakeServer server = new(static words => words[0] == "BREAK" ? "+OK\r\n+ONE TOO MANY\r\n" : FakeServer.Honest(words));
        await using TestStore store = new TestStore(server.Url).Ready();
        Eventually.Until(() => store.Store.Statistics().Outstanding == 0, "nothing is outstanding");
        int before = server.Connections;
        Assert.Equal("OK", await store.Call("BREAK", "@k"));
        Eventually.Until(() => server.Connections > before, "it connects anew");
        Assert.Equal("x", await store.Send(new TestCommand("GET", "@x") { IsIdempotent = true, Deadline = TestStore.Patiently }));
    }

    [Fact]
    public async Task Redirect_loop_fails_the_call_after_five_redirects()
    {
        FakeServer[] servers = new FakeServer[2];
        for (int number = 0; number < 2; number++)
        {
            int other = 1 - number;
            servers[number] = new FakeServer(words => words[0] == "GET" ? $"-MOVED 7629 127.0.0.1:{servers[other].Port}\r\n" : FakeServer.Honest(words));
        }

        await using FakeServer first = servers[0];
        await using FakeServer second = servers[1];
        await using TestStore store = new TestStore(first.Url).Ready();
        RedisFailure failure = await store.Failure(new TestCommand("GET", "@x") { Deadline = TestStore.Patiently });
        Assert.Equal((RedisFailureKind.Unavailable, true), (failure.Kind, failure.NotExecuted));
        Assert.Equal(5, store.Store.Statistics().Moved);
    }

    [Fact]
    public async Task TRYAGAIN_after_ASK_does_not_count_towards_redirect_limit()
    {
        int left = 8;
        await using FakeServer target = new(words => words[0] == "GET" && Interlocked.Decrement(ref left) >= 0
            ? "-TRYAGAIN Multiple keys request during rehashing of slot\r\n"
            : FakeServer.Honest(words));
        await using FakeServer source = new(words => words[0] == "GET" ? $"-ASK 7629 127.0.0.1:{target.Port}\r\n" : FakeServer.Honest(words));
        await using TestStore store = new TestStore(source.Url).Ready();
        Assert.Equal("x", await store.Send(new TestCommand("GET", "@x") { Deadline = TestStore.Patiently }));
        Assert.Equal(9, store.Store.Statistics().Asked);
    }

    [Fact]
    public async Task Push_during_handshake_is_ignored()
    {
        await using FakeServer server = new(static words => words[0] switch
        {
            "HELLO" => $"{FakeServer.Honest(words)}>1\r\n+early\r\n+digest\r\n",
            "SCRIPT" => "",
            _ => FakeServer.Honest(words),
        });
        await using TestStore store = new(server.Url, static options => options with { Scripts = [new RedisScript("one", "return 1")] });
        Assert.Equal("x", await store.Send(new TestCommand("GET", "@x") { Deadline = TestStore.Patiently }));
    }

    [Theory]
    [InlineData("-LOADING Redis is loading the dataset in memory\r\n")]
    [InlineData("-BUSY Redis is busy running a script.\r\n")]
    [InlineData("-CLUSTERDOWN The cluster is down\r\n")]
    public async Task Transient_error_is_retried_until_the_deadline(string error)
    {
        int left = 3;
        await using FakeServer server = new(words => words[0] == "GET" && Interlocked.Decrement(ref left) >= 0 ? error : FakeServer.Honest(words));
        await using TestStore store = new TestStore(server.Url).Ready();
        Assert.Equal("x", await store.Send(new TestCommand("GET", "@x") { Deadline = TestStore.Patiently }));
        Volatile.Write(ref left, int.MaxValue);
        RedisFailure failure = null!;
        await Eventually.UntilAsync(
            async () =>
            {
                // If the last attempt is in progress at the deadline, the call times out. This can happen if the machine was suspended, so try again.
                failure = await store.Failure(new TestCommand("GET", "@x") { Deadline = TestStore.Within(0.2) });
                return failure.Kind != RedisFailureKind.TimedOut;
            },
            "its last try is answered");
        Assert.Equal((RedisFailureKind.Unavailable, true), (failure.Kind, failure.NotExecuted));
        Assert.Equal(error[1..^2], failure.Message);
    }

    [Fact]
    public async Task Non_Redis_server_is_reported()
    {
        await using FakeServer server = new(static _ => "HTTP/1.1 400 Bad Request\r\n\r\n");
        await using TestStore store = new(server.Url);
        Eventually.Until(() => store.Store.WhyNotReady!.Contains("RESP3", StringComparison.Ordinal), "it says so");
    }

    [Fact]
    public async Task Connection_attempt_times_out_when_server_never_replies()
    {
        await using FakeServer server = new(static _ => "");
        await using TestStore store = new(server.Url, static options => options with { ConnectTimeout = TimeSpan.FromMilliseconds(100) });
        Eventually.Until(() => store.Store.WhyNotReady!.Contains("did not respond within 0.1 s", StringComparison.Ordinal), "it says so");
    }
}
