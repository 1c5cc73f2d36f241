using Larder.Client.Operations;
using Larder.Client.Tests.Support;
using Larder.Harness.Proxies;

namespace Larder.Client.Tests.Faults;

/// <summary>Tests network faults (docs/faults.md), which a proxy in front of the real server injects.</summary>
public sealed class NetworkFaultTests
{
    public static TheoryData<Transport> Transports => [Transport.Unary, Transport.Pipeline];

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task N4_half_open_connection_is_replaced_after_calls_time_out(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        Configuration configuration = Tolerant(transport) with
        {
            RequestTimeout = TimeSpan.FromSeconds(1),
            KeepaliveInterval = TimeSpan.FromSeconds(1),
            KeepaliveTimeout = TimeSpan.FromSeconds(1),
        };
        await using CacheClient client = server.Connect(configuration, proxy.Port);
        await FirstAnswer(client);
        int connections = proxy.Accepted;

        proxy.LoseAll();
        LookupResult<CacheValue> lost = await Eventually.Within(client.Cache("cache").GetAsync("k"));
        Assert.Equal(CacheErrorCode.Timeout, Expect.Error(lost).Code);
        await FirstAnswer(client);
        Assert.True(proxy.Accepted > connections);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task RETRY_13_silent_connection_is_replaced_after_timeouts_without_keepalive(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        Configuration configuration = Tolerant(transport) with
        {
            RequestTimeout = TimeSpan.FromMilliseconds(500),
            KeepaliveInterval = null,
            KeepaliveTimeout = TimeSpan.FromSeconds(1),
        };
        await using CacheClient client = server.Connect(configuration, proxy.Port);
        await FirstAnswer(client);
        int connections = proxy.Accepted;

        proxy.LoseAll();
        int lost = 0;
        while (await Eventually.Within(client.Cache("cache").GetAsync("k")) is { Error: { } error })
        {
            // About five calls are expected to fail. The client pings after 1 s of silence, and waits 1 s for the reply. If only the server's own pings ended
            // the connection, about 40 calls would fail.
            Assert.True(++lost < 20, error.Message);
        }

        Assert.InRange(lost, 1, 20);
        Assert.True(proxy.Accepted > connections);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task N5_idempotent_calls_succeed_when_connections_are_reset_under_load(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient client = server.Connect(Tolerant(transport), proxy.Port);
        await Warm(client);
        using CancellationTokenSource over = new();
        Task<int>[] callers = [.. Enumerable.Range(0, 20).Select(caller => CallUntil(client, caller, over.Token))];
        for (int reset = 0; reset < 3; reset++)
        {
            int accepted = proxy.Accepted;
            proxy.ResetAll();
            await Eventually.Holds(() => proxy.Accepted > accepted, "a new connection after a reset");
            Expect.Miss(await Eventually.Within(client.Cache("cache").GetAsync("none")));
        }

        await over.CancelAsync();
        Assert.True((await Task.WhenAll(callers).WaitAsync(Eventually.Limit)).Sum() > 0);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task N5_increment_that_may_have_run_is_applied_at_most_once(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient client = server.Connect(Tolerant(transport), proxy.Port);
        await Warm(client);
        int succeeded = 0;
        int failed = 0;
        Task[] callers = [.. Enumerable.Range(0, 20).Select(async _ =>
        {
            for (int call = 0; call < 50; call++)
            {
                bool counted = await client.Cache("cache").IncrementAsync("count") is { IsSuccess: true };
                Interlocked.Increment(ref counted ? ref succeeded : ref failed);
            }
        })];
        await Eventually.Holds(() => Volatile.Read(ref succeeded) > 100, "some increments");
        proxy.ResetAll();
        await Task.WhenAll(callers).WaitAsync(Eventually.Limit);

        await using CacheClient direct = server.Connect(Tolerant(Transport.Unary));
        long value = Expect.Success(await direct.Cache("cache").IncrementAsync("count", 0));
        Assert.Equal(1_000, succeeded + failed);
        Assert.InRange(value, succeeded, succeeded + failed);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task N5_idempotent_calls_succeed_when_the_server_restarts_under_load(Transport transport)
    {
        RunningServer server = await RunningServer.StartAsync();
        int port = server.Port;
        await using CacheClient client = server.Connect(Tolerant(transport));
        await Warm(client);
        using CancellationTokenSource over = new();
        Task<int>[] callers = [.. Enumerable.Range(0, 20).Select(caller => CallUntil(client, caller, over.Token))];

        await server.DisposeAsync();
        await using RunningServer successor = await RunningServer.SucceedAsync(port);
        Expect.Miss(await Eventually.Within(client.Cache("cache").GetAsync("none")));
        await over.CancelAsync();
        await Task.WhenAll(callers).WaitAsync(Eventually.Limit);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task S2_idempotent_calls_succeed_when_the_server_drains_under_load(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Tolerant(transport) with { RequestTimeout = TimeSpan.FromSeconds(5) });
        await Warm(client);
        using CancellationTokenSource over = new();
        Task<int>[] callers = [.. Enumerable.Range(0, 20).Select(caller => CallUntil(client, caller, over.Token))];

        // The port becomes free soon after the drain has started. The successor listens on it while the first server still responds.
        int port = server.Port;
        Task stopped = server.StopAsync();
        await using RunningServer successor = await RunningServer.SucceedAsync(port);
        await stopped.WaitAsync(Eventually.Limit);
        Expect.Miss(await Eventually.Within(client.Cache("cache").GetAsync("none")));
        await over.CancelAsync();
        Assert.True((await Task.WhenAll(callers).WaitAsync(Eventually.Limit)).Sum() > 0);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task N5_unreachable_server_fails_calls_with_Unavailable(Transport transport)
    {
        await using CacheClient client = await ClientOfUnusedPort(Tolerant(transport) with { RequestTimeout = TimeSpan.FromSeconds(1) });
        CacheError error = Expect.Error(await Eventually.Within(client.Cache("cache").GetAsync("k")));
        Assert.True(error.Code == CacheErrorCode.Unavailable, error.Message);
        Assert.Equal(0, error.Attempts);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task RETRY_10_call_timing_out_between_refused_connection_attempts_returns_Unavailable(Transport transport)
    {
        await using CacheClient client = await ClientOfUnusedPort(Tolerant(transport));
        // While the first call waits, the client keeps trying to connect. The second call gives the first attempt time to be refused, so that the client knows
        // the failure.
        ValueTask<LookupResult<CacheValue>> waiting = client.Cache("cache").GetAsync("k");
        Expect.Error(await Eventually.Within(client.Cache("cache").WithTimeout(TimeSpan.FromSeconds(1)).GetAsync("k")));
        for (int call = 0; call < 20; call++)
        {
            LookupResult<CacheValue> answer = await Eventually.Within(client.Cache("cache").WithTimeout(TimeSpan.FromMilliseconds(5)).GetAsync("k"));
            CacheError error = Expect.Error(answer);
            Assert.True(error.Code == CacheErrorCode.Unavailable, error.Message);
        }

        Expect.Error(await Eventually.Within(waiting));
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task RETRY_9_calls_fail_immediately_after_the_connection_grace_period(Transport transport)
    {
        // The deadline is longer than the test waits. So the test passes only if calls fail after the grace period of two seconds, long before their deadline.
        await using CacheClient client = await ClientOfUnusedPort(Tolerant(transport) with { RequestTimeout = 2 * Eventually.Limit });
        CacheError first = Expect.Error(await Eventually.Within(client.Cache("cache").GetAsync("k")));
        Assert.True(first.Code == CacheErrorCode.Unavailable, first.Message);
        int immediate = 0;
        for (int call = 0; call < 200; call++)
        {
            CacheError error = Expect.Error(await Eventually.Within(client.Cache("cache").GetAsync("k")));
            Assert.Equal((CacheErrorCode.Unavailable, 0), (error.Code, error.Attempts));
            immediate += error.Elapsed < TimeSpan.FromMilliseconds(20) ? 1 : 0;
        }

        Assert.InRange(immediate, 100, 200);
        AssertIdle(client);
    }

    [Fact]
    public async Task N9_each_call_on_a_broken_stream_ends_once()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient client = server.Connect(Tolerant(Transport.Pipeline) with { MaxInFlightPipeline = 5_000 }, proxy.Port);
        await Warm(client);
        Expect.Success(await client.Cache("cache").IncrementAsync("count", 0));

        // The proxy holds all data back, so no response arrives before the stream breaks.
        proxy.HoldFrom(1);
        int ended = 0;
        Task<LookupResult<CacheValue>>[] gets = [.. Enumerable.Range(0, 2_000).Select(index => Counted(client.Cache("cache").GetAsync($"k{index % 20}")))];
        Task<CacheResult<long>>[] increments = [.. Enumerable.Range(0, 2_000).Select(_ => Counted(client.Cache("cache").IncrementAsync("count")))];
        Assert.Equal(4_000, client.InFlight);
        proxy.HoldFrom(int.MaxValue);
        proxy.ResetAll();

        LookupResult<CacheValue>[] read = await Task.WhenAll(gets).WaitAsync(Eventually.Limit);
        CacheResult<long>[] incremented = await Task.WhenAll(increments).WaitAsync(Eventually.Limit);
        Assert.Equal(4_000, ended);
        for (int index = 0; index < read.Length; index++)
        {
            Assert.True(read[index] is { IsError: true } || read[index] is { IsHit: true } hit && hit.Value.Text == $"k{index % 20}");
        }

        await using CacheClient direct = server.Connect(Tolerant(Transport.Unary));
        long value = Expect.Success(await direct.Cache("cache").IncrementAsync("count", 0));
        Assert.InRange(value, incremented.Count(answer => answer.IsSuccess), 2_000);
        Expect.Hit(await Eventually.Within(client.Cache("cache").GetAsync("k1")));
        AssertIdle(client);

        async Task<T> Counted<T>(ValueTask<T> call)
        {
            T answer = await call;
            Interlocked.Increment(ref ended);
            return answer;
        }
    }

    [Fact]
    public async Task N10_stuck_large_value_does_not_block_small_calls()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient client = server.Connect(NoTimeouts, proxy.Port);
        await Warm(client);

        proxy.HoldFrom(2);
        byte[] large = new byte[4_900_000];
        Task<CacheResult> stuck = client.Cache("cache").SetAsync("large", large).AsTask();
        await AssertTravels(client, proxy, stuck, isBeside: true);
        Expect.Success(await stuck);
        Assert.Equal(large.Length, Expect.Hit(await Eventually.Within(client.Cache("cache").GetAsync("large"))).Length);
        AssertIdle(client);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task PIPE_10_request_over_65536_bytes_bypasses_the_pipeline(int past)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient client = server.Connect(NoTimeouts, proxy.Port);
        await Warm(client);
        proxy.HoldFrom(2);
        byte[] value = new byte[65_536 + past - new SetOperation("k", new byte[20_000], 60_000).Measure() + 20_000];
        Task<CacheResult> set = client.Cache("cache").SetAsync("k", value).AsTask();
        await AssertTravels(client, proxy, set, isBeside: past > 0);
        Expect.Success(await set);
    }

    [Fact]
    public async Task PIPE_10_large_batch_of_short_keys_bypasses_the_pipeline()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient client = server.Connect(NoTimeouts, proxy.Port);
        await Warm(client);
        proxy.HoldFrom(2);
        Task<CacheResult<IReadOnlyList<bool>>> asked =
            client.Cache("cache").KeysExistAsync([.. Enumerable.Range(0, 20_000).Select(static n => (CacheBytes)$"k{n}")]).AsTask();
        await AssertTravels(client, proxy, asked, isBeside: true);
        Assert.Equal(20, Expect.Success(await asked).Count(static exists => exists));
    }

    [Fact]
    public async Task Unary_concurrency_limit_applies_to_a_server_without_pipeline_support()
    {
        await using UnaryOnlyServer server = UnaryOnlyServer.Start();
        await using CacheClient client = new(Tolerant(Transport.Auto), CredentialProvider.Local(port: server.Port), TimeSpan.FromMinutes(1));
        Assert.Equal(Transport.Pipeline, client.TransportInUse);
        Expect.Miss(await Eventually.Within(client.Cache("cache").GetAsync("k")));
        Assert.Equal((Transport.Unary, 200), (client.TransportInUse, client.InFlightLimit));
        Assert.All(
            await Task.WhenAll(Enumerable.Range(0, 500).Select(_ => client.Cache("cache").GetAsync("k").AsTask())).WaitAsync(Eventually.Limit),
            answer => Expect.Miss(answer));
        AssertIdle(client);
    }

    // Asserts whether a call is sent outside the stream. The proxy stalls all connections except the stream's connection. So a call outside the stream is still
    // pending when later calls on the stream have completed.
    private static async Task AssertTravels(CacheClient client, FaultProxy proxy, Task call, bool isBeside)
    {
        if (!isBeside)
        {
            await call.WaitAsync(Eventually.Limit);
        }

        for (int other = 0; other < 1_000; other++)
        {
            Expect.Hit(await Eventually.Within(client.Cache("cache").GetAsync("k1")));
        }

        Assert.Equal(!isBeside, call.IsCompleted);
        proxy.Release();
        await call.WaitAsync(Eventually.Limit);
        AssertIdle(client);
    }

    // A get for a value that the restarted server does not have must return a miss, not an error.
    private static async Task<int> CallUntil(CacheClient client, int caller, CancellationToken over)
    {
        int calls = 0;
        while (!over.IsCancellationRequested)
        {
            CacheResult set = await client.Cache("cache").SetAsync($"k{caller}", $"k{caller}", cancellationToken: CancellationToken.None);
            Assert.False(set is { IsError: true }, set.Error?.Message);
            LookupResult<CacheValue> get = await client.Cache("cache").GetAsync($"k{caller}", CancellationToken.None);
            Assert.False(get is { IsError: true }, get.Error?.Message);
            calls += 2;
        }

        return calls;
    }

    // The calls also earn a retry budget that covers all calls in flight.
    private static async Task Warm(CacheClient client)
    {
        for (int round = 0; round < 100; round++)
        {
            await Task.WhenAll(Enumerable.Range(0, 20).Select(key => client.Cache("cache").SetAsync($"k{key}", $"k{key}").AsTask()));
        }
    }

    private static async Task FirstAnswer(CacheClient client)
    {
        DateTime end = DateTime.UtcNow + Eventually.Limit;
        while (await Eventually.Within(client.Cache("cache").GetAsync("k")) is { Error: { } error })
        {
            Assert.True(DateTime.UtcNow < end, error.Message);
        }
    }

    // Creates a client for a port on which no server listens any more.
    private static async Task<CacheClient> ClientOfUnusedPort(Configuration configuration)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        return server.Connect(configuration);
    }

    private static Configuration Tolerant(Transport transport) =>
        Configurations.Laptop.V1() with { Transport = transport, RequestTimeout = TimeSpan.FromSeconds(40), Channels = 1 };

    // A configuration for tests that delay the data of a connection. Neither a ping nor a deadline ends the connection or its calls during the test.
    private static Configuration NoTimeouts => Tolerant(Transport.Pipeline) with { KeepaliveInterval = null, RequestTimeout = 10 * Eventually.Limit };

    private static void AssertIdle(CacheClient client)
    {
        client.Limiter.AssertValid();
        Assert.Equal((0, 0), (client.InFlight, client.Queued));
    }
}
