using Larder.Client.Calls;
using Larder.Client.Tests.Near;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Larder.Harness.Proxies;
using Larder.Protocol;

namespace Larder.Client.Tests.Pipeline;

/// <summary>Tests a pipelined transport that has several streams, each with its own connection.</summary>
public sealed class SeveralStreamsTests
{
    private static readonly Configuration Two = Configurations.Laptop.V1() with
    {
        Transport = Transport.Pipeline,
        PipelineConnections = 2,
        RequestTimeout = TimeSpan.FromMinutes(5),
        KeepaliveInterval = null,
    };

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(8)]
    public async Task PIPE_21_calls_use_the_configured_number_of_connections(int connections)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Two with { PipelineConnections = connections });
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
        await Eventually.Holds(() => client.Connections == connections, "the streams are open");
        Task<CacheResult>[] sets = [.. Enumerable.Range(0, 1_000).Select(async key => await client.Cache("cache").SetAsync($"{key}", $"{key}"))];
        Assert.All(await Task.WhenAll(sets).WaitAsync(Eventually.Limit), Expect.Success);
        for (int key = 0; key < 1_000; key++)
        {
            Assert.Equal($"{key}", Expect.Hit(await client.Cache("cache").GetAsync($"{key}")).Text);
        }

        Assert.Equal(connections, client.Connections);
        AssertIdle(client);
    }

    [Fact]
    public async Task PIPE_21_calls_of_other_threads_use_all_streams_and_the_limit_is_shared()
    {
        await using Script script = await Script.OpenAsync(Two with { MaxInFlightPipeline = 64 });
        Task<LookupResult<CacheValue>>[] gets = [.. Enumerable.Range(0, 100).Select(key => script.GetAsync($"{key}"))];
        await Eventually.Holds(() => script.Streams.Sum(stream => stream.Waiting) == 64, "64 calls are sent");
        Assert.All(script.Streams, stream => Assert.InRange(stream.Waiting, 20, 44));
        Assert.Equal((64, 36), (script.Client.InFlight, script.Client.Queued));
        await script.AnswerAllAsync(gets);
        AssertIdle(script.Client);
    }

    [Fact]
    public async Task PIPE_22_idempotent_calls_of_a_lost_stream_are_retried_on_the_other_without_a_delay()
    {
        await using Script script = await Script.OpenAsync(Two);
        Task<LookupResult<CacheValue>>[] gets = [.. Enumerable.Range(0, 20).Select(key => script.GetAsync($"{key}"))];
        await Eventually.Holds(() => script.Streams.Sum(stream => stream.Waiting) == 20, "all calls are sent");
        int lost = script.Streams[0].Waiting;
        int kept = script.Streams[1].Waiting;
        script.Streams[0].End();

        await Eventually.Holds(() => script.Log.Lines.Count(static line => line.Contains("retrying in 0.0 ms")) == lost, "the calls are retried");
        await AdvanceUntilAsync(script.Time, Eventually.Holds(() => script.Streams[1].Waiting == kept + lost, "the calls are sent on the other stream"));
        script.Streams.RemoveAt(0);
        await script.AnswerAllAsync(gets);
        AssertIdle(script.Client);
    }

    [Fact]
    public async Task PIPE_22_written_increment_of_a_lost_stream_fails_and_the_others_continue()
    {
        await using Script script = await Script.OpenAsync(Two);
        Task<CacheResult<long>>[] increments = [.. Enumerable.Range(0, 20).Select(async key => await script.Cache.IncrementAsync($"{key}"))];
        await Eventually.Holds(() => script.Streams.Sum(stream => stream.Waiting) == 20, "all calls are sent");
        int lost = script.Streams[0].Waiting;
        script.Streams[0].End();
        await Eventually.Holds(() => increments.Count(static call => call.IsCompleted) == lost, "the calls of the lost stream fail");
        foreach (Task<CacheResult<long>> failed in increments.Where(static call => call.IsCompleted))
        {
            Assert.Equal(CacheErrorCode.Unavailable, Expect.Error(await failed).Code);
        }

        while (script.Streams[1].Waiting > 0)
        {
            Operation call = await script.Streams[1].NextAsync(Operation.CallOneofCase.Increment);
            await script.Streams[1].SendAsync(new Result { Id = call.Id, Increment = new Protocol.IncrementResponse { Value = 1 } });
        }

        Assert.Equal(20 - lost, (await Task.WhenAll(increments).WaitAsync(Eventually.Limit)).Count(static result => result.IsSuccess));
        AssertIdle(script.Client);
    }

    [Fact]
    public async Task PIPE_22_lost_stream_is_replaced_when_the_next_call_is_made()
    {
        await using Script script = await Script.OpenAsync(Two);
        script.Streams[1].End();
        await Eventually.Holds(() => script.Client.Connections == 1, "the stream has ended");
        Task<LookupResult<CacheValue>> get = script.GetAsync("k");
        await script.Streams[0].AnswerGetAsync("v");
        Expect.Hit(await get.WaitAsync(Eventually.Limit));
        await script.NextAsync();
        await Eventually.Holds(() => script.Client.Connections == 2, "the stream is replaced");
    }

    [Fact]
    public async Task PIPE_22_call_waits_for_a_connection_only_if_all_streams_are_lost()
    {
        await using Script script = await Script.OpenAsync(Two);
        foreach (ScriptedStream stream in script.Streams)
        {
            stream.End();
        }

        await Eventually.Holds(() => script.Client.Connections < 2, "the streams have ended");
        script.Streams.Clear();
        Task<LookupResult<CacheValue>> get = script.GetAsync("k");
        await script.NextAsync();
        await script.AnswerAllAsync([get]);
        AssertIdle(script.Client);
    }

    [Fact]
    public async Task PIPE_22_refused_additional_connection_leaves_the_first_in_use()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        ManualTime time = new();
        LogLines log = new();
        await using CacheClient client = new(Two, CredentialProvider.Local(port: proxy.Port), TimeSpan.FromMinutes(1), log, time, null);
        Expect.Success(await Eventually.Within(client.ConnectAsync()));
        proxy.IsRefusing = true;
        await AdvanceUntilAsync(
            time, Eventually.Holds(() => log.Lines.Any(static line => line.Contains("Cannot open an additional stream")), "the attempt fails"));
        for (int call = 0; call < 100; call++)
        {
            Expect.Miss(await Eventually.Within(client.Cache("cache").GetAsync("k")));
        }

        Assert.Equal(1, client.Connections);
        proxy.IsRefusing = false;
        Task<bool> opened = Eventually.Holds(() => client.Connections == 2, "the second stream is open").ContinueWith(static done => true);
        while (!opened.IsCompleted)
        {
            Expect.Miss(await Eventually.Within(client.Cache("cache").GetAsync("k")));
            time.AdvanceMs(5);
            await Task.Delay(1);
        }
    }

    [Fact]
    public async Task PIPE_23_near_gets_use_the_near_stream_and_move_when_it_is_lost()
    {
        await using Script script = await Script.OpenAsync(Two with { NearCache = NearScript.Setting }, opensNear: true);
        for (int key = 0; key < 20; key++)
        {
            Task<LookupResult<CacheValue>> get = script.GetAsync($"{key}");
            Operation asked = await script.Streams[0].NextAsync(Operation.CallOneofCase.Get);
            Assert.True(asked.Near);
            await script.Streams[0].SendAsync(ScriptedStream.Found(asked, $"{key}"));
            Expect.Hit(await get.WaitAsync(Eventually.Limit));
        }

        Assert.Equal(0, script.Streams[1].Waiting);
        Assert.True(script.Served("0") is not null, $"{script.Client.NearCache}");

        script.Streams[0].End();
        await script.Streams[1].OpenAsync(leaseMs: uint.MaxValue);
        Assert.Null(script.Served("0"));
        await Eventually.Holds(() => script.Client.NearReads!.Stream is not null, "the other stream is the near stream");
        Task<LookupResult<CacheValue>> moved = script.GetAsync("0");
        await script.Streams[1].AnswerGetAsync("v2");
        Expect.Hit(await moved.WaitAsync(Eventually.Limit));
        Assert.NotNull(script.Served("0"));
    }

    [Fact]
    public async Task PIPE_24_leaving_stream_gets_no_new_calls_and_ends_after_its_last_response()
    {
        await using Script script = await Script.OpenAsync(Two);
        Task<LookupResult<CacheValue>>[] gets = [.. Enumerable.Range(0, 20).Select(key => script.GetAsync($"{key}"))];
        await Eventually.Holds(() => script.Streams.Sum(stream => stream.Waiting) == 20, "all calls are sent");
        int before = script.Streams[1].Waiting;
        script.Transport.ChangeStreamCount(-1);
        Task<LookupResult<CacheValue>>[] later = [.. Enumerable.Range(20, 20).Select(key => script.GetAsync($"{key}"))];
        await Eventually.Holds(() => script.Streams.Sum(stream => stream.Waiting) == 40, "all calls are sent");
        Assert.Equal(before, script.Streams[1].Waiting);
        await script.AnswerAllAsync([.. gets, .. later]);
        await AdvanceUntilAsync(script.Time, Eventually.Holds(() => script.Streams[1].HasEnded, "the stream has ended"));
        AssertIdle(script.Client);
    }

    [Fact]
    public async Task PIPE_13_closing_the_client_ends_the_calls_of_all_streams_once()
    {
        await using Script script = await Script.OpenAsync(Two);
        Task<LookupResult<CacheValue>>[] gets = [.. Enumerable.Range(0, 100).Select(key => script.GetAsync($"{key}"))];
        await Eventually.Holds(() => script.Streams.Sum(stream => stream.Waiting) == 100, "all calls are sent");
        await script.Client.DisposeAsync();
        Assert.All(await Task.WhenAll(gets).WaitAsync(Eventually.Limit), result => Assert.Equal(CacheErrorCode.Cancelled, Expect.Error(result).Code));
        AssertIdle(script.Client);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    public async Task PIPE_22_no_idempotent_call_fails_when_connections_are_reset_under_load(int connections)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient client = server.Connect(Two with { PipelineConnections = connections }, proxy.Port);
        Expect.Miss(await Eventually.Within(client.Cache("cache").GetAsync("none")));
        Random random = new(1);
        using CancellationTokenSource over = new();
        Task<int>[] callers = [.. Enumerable.Range(0, 50).Select(caller => CallUntil(client, caller, over.Token))];
        for (int reset = 0; reset < 3; reset++)
        {
            // A stream that was lost within a second is replaced after a wait.
            await Eventually.Holds(() => proxy.Connections > 1, "several streams are open");
            Assert.True(proxy.ResetOne(random));
            Expect.Miss(await Eventually.Within(client.Cache("cache").GetAsync("none")));
        }

        await over.CancelAsync();
        Assert.True((await Task.WhenAll(callers).WaitAsync(Eventually.Limit)).Sum() > 0);
        AssertIdle(client);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    public async Task PIPE_22_idempotent_calls_need_one_retry_when_all_connections_are_reset(int connections)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient client = server.Connect(Two with { PipelineConnections = connections, MaxRetries = 1 }, proxy.Port);
        Expect.Miss(await Eventually.Within(client.Cache("cache").GetAsync("none")));
        await Eventually.Holds(() => proxy.Connections == connections, "all streams are open");
        using CancellationTokenSource over = new();
        int[] calls = new int[50];
        Task[] callers = [.. Enumerable.Range(0, calls.Length).Select(async caller =>
        {
            while (!over.IsCancellationRequested)
            {
                Expect.Miss(await client.Cache("cache").GetAsync($"{caller}", CancellationToken.None));
                Interlocked.Increment(ref calls[caller]);
            }
        })];

        // Each reset ends all connections, one after another. Then each caller must have completed its call before the next reset.
        for (int reset = 0; reset < 3; reset++)
        {
            proxy.ResetAll();
            int[] before = [.. calls];
            await Eventually.Holds(
                () => callers.Any(static caller => caller.IsCompleted) || calls.Zip(before).All(static pair => pair.First > pair.Second + 1), "calls continue");
        }

        await over.CancelAsync();
        await Task.WhenAll(callers).WaitAsync(Eventually.Limit);
        AssertIdle(client);
    }

    private static async Task<int> CallUntil(CacheClient client, int caller, CancellationToken over)
    {
        int calls = 0;
        while (!over.IsCancellationRequested)
        {
            Expect.Success(await client.Cache("cache").SetAsync($"k{caller}", $"{calls}", cancellationToken: CancellationToken.None));
            Assert.Equal($"{calls}", Expect.Hit(await client.Cache("cache").GetAsync($"k{caller}", CancellationToken.None)).Text);
            calls += 2;
        }

        return calls;
    }

    // Advances the manual clock at about the speed of the system clock. A faster clock would exceed the timeouts of a connection that is being opened.
    private static async Task AdvanceUntilAsync(ManualTime time, Task task)
    {
        while (!task.IsCompleted)
        {
            time.AdvanceMs(5);
            await Task.WhenAny(task, Task.Delay(1));
        }

        await task;
    }

    private static void AssertIdle(CacheClient client)
    {
        client.Limiter.AssertValid();
        Assert.Equal((0, 0), (client.InFlight, client.Queued));
    }

    /// <summary>A client with a manual clock and two streams, whose server the test plays.</summary>
    private sealed class Script : IAsyncDisposable
    {
        private Script(Configuration configuration)
        {
            CredentialProvider credentials = CredentialProvider.Local(port: Server.Port);
            Client = new CacheClient(configuration, credentials, TimeSpan.FromMinutes(1), Log, Time, runner => Made(configuration, credentials, runner));
            Cache = Client.Cache("cache");
        }

        public ManualTime Time { get; } = new();

        public ScriptedPipeline Server { get; } = new();

        public CacheClient Client { get; }

        public Cache Cache { get; }

        public PipelineTransport Transport { get; private set; } = null!;

        public List<ScriptedStream> Streams { get; } = [];

        public LogLines Log { get; } = new();

        public static async Task<Script> OpenAsync(Configuration configuration, bool opensNear = false)
        {
            Script script = new(configuration);
            Expect.Success(await Eventually.Within(script.Client.ConnectAsync()));
            await script.NextAsync();
            await script.NextAsync();
            await Eventually.Holds(() => script.Client.Connections == 2, "both streams are open");
            if (opensNear)
            {
                // The clock has advanced since the request was sent, and the lease begins then.
                await script.Streams[0].OpenAsync(leaseMs: uint.MaxValue);
                await Eventually.Holds(() => script.Client.NearReads!.Stream is not null, "it is the near stream");
            }

            return script;
        }

        public async Task NextAsync()
        {
            Task<ScriptedStream> next = Server.NextAsync();
            await AdvanceUntilAsync(Time, next);
            Streams.Add(await next);
        }

        public Task<LookupResult<CacheValue>> GetAsync(string key) => Task.Run(async () => await Cache.GetAsync(key));

        public string? Served(string key) => Cache.TryGetNear((CacheBytes)key, out CacheValue value) ? value.Text : null;

        public async Task AnswerAllAsync(Task<LookupResult<CacheValue>>[] gets)
        {
            Task all = Task.WhenAll(gets);
            while (!all.IsCompleted)
            {
                foreach (ScriptedStream stream in Streams.Where(static stream => stream.Waiting > 0))
                {
                    await stream.AnswerGetAsync("v");
                }

                await Task.WhenAny(all, Task.Delay(1));
            }

            Assert.All(gets, get => Expect.Hit(get.Result));
        }

        public async ValueTask DisposeAsync()
        {
            await Client.DisposeAsync();
            await Server.DisposeAsync();
        }

        private PipelineTransport Made(Configuration configuration, CredentialProvider credentials, CallRunner runner) =>
            Transport = (PipelineTransport)TransportFactory.Create(configuration, credentials, runner, Log);
    }
}
