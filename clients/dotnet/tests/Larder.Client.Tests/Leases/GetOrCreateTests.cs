using Larder.Client.Tests.Support;

namespace Larder.Client.Tests;

public sealed class GetOrCreateTests
{
    [Fact]
    public async Task GetOrCreate_runs_factory_once_for_concurrent_callers()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        TaskCompletionSource<byte[]> value = new();
        int made = 0;
        Task<GetOrCreateResult<CacheValue>>[] callers = [.. Enumerable.Range(0, 100).Select(_ => client.Cache("cache").GetOrCreateAsync("k", Make).AsTask())];
        await Eventually.Holds(() => Volatile.Read(ref made) == 1, "the factory runs");
        value.SetResult("v"u8.ToArray());
        Assert.All(
            await Task.WhenAll(callers).WaitAsync(Eventually.Limit),
            answer => Assert.Equal("v", Expect.Created(answer).Value.Text));
        Assert.Equal(1, made);
        Expect.Hit(await client.Cache("cache").GetOrCreateAsync("k", Make));

        async ValueTask<byte[]> Make(CancellationToken cancelled)
        {
            Interlocked.Increment(ref made);
            return await value.Task.WaitAsync(cancelled);
        }
    }

    [Fact]
    public async Task GetOrCreate_with_cancelled_token_throws_without_running_factory()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1());
        Cache cache = client.Cache("cache");
        CancellationToken cancelled = new(canceled: true);
        int made = 0;
        for (int i = 0; i < 50; i++)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.GetOrCreateAsync($"k{i}", Make, cancellationToken: cancelled).AsTask());
        }

        // If a cancelled call still created its value, that creation would complete before this one, because both use the same connection.
        Expect.Created(await cache.GetOrCreateAsync("other", Make));
        Assert.Equal(1, made);

        ValueTask<byte[]> Make(CancellationToken _)
        {
            Interlocked.Increment(ref made);
            return ValueTask.FromResult("v"u8.ToArray());
        }
    }

    [Fact]
    public async Task GOC_16_clients_with_different_tokens_share_no_factory_call()
    {
        await using CacheClient one = Unreachable("first-token");
        await using CacheClient other = Unreachable("second-token");
        TaskCompletionSource<byte[]> secret = new();
        TaskCompletionSource began = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<GetOrCreateResult<CacheValue>> first = one.Cache("cache").GetOrCreateAsync("k", async cancelled =>
        {
            began.SetResult();
            return await secret.Task.WaitAsync(cancelled);
        }).AsTask();
        await began.Task.WaitAsync(Eventually.Limit);
        GetOrCreateResult<CacheValue> second = await Eventually.Within(
            other.Cache("cache").GetOrCreateAsync("k", static _ => ValueTask.FromResult("other's"u8.ToArray())));
        Assert.Equal("other's", Expect.Uncached(second).Value.Text);
        secret.SetResult("one's"u8.ToArray());
        Assert.Equal("one's", Expect.Uncached(await first.WaitAsync(Eventually.Limit)).Value.Text);

        static CacheClient Unreachable(string token) => new(
            Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromMilliseconds(200) },
            CredentialProvider.Local(port: 1).WithToken(token),
            TimeSpan.FromMinutes(1));
    }

    [Fact]
    public async Task GOC_16_handles_with_different_timeouts_share_one_factory_call_per_key()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        TaskCompletionSource<byte[]> value = new();
        int calls = 0;
        Task<GetOrCreateResult<CacheValue>> first = client.Cache("cache").GetOrCreateAsync("k", Create).AsTask();
        await Eventually.Holds(() => Volatile.Read(ref calls) == 1, "the factory runs");
        Task<GetOrCreateResult<CacheValue>> second = client.Cache("cache").WithTimeout(TimeSpan.FromSeconds(30)).GetOrCreateAsync("k", Create).AsTask();
        value.SetResult("v"u8.ToArray());
        Assert.All(
            await Task.WhenAll(first, second).WaitAsync(Eventually.Limit),
            static answer => Assert.Equal("v", Expect.Created(answer).Value.Text));
        Assert.Equal(1, calls);

        async ValueTask<byte[]> Create(CancellationToken cancelled)
        {
            Interlocked.Increment(ref calls);
            return await value.Task.WaitAsync(cancelled);
        }
    }

    [Fact]
    public async Task GetOrCreate_returns_Uncached_value_if_the_server_is_unreachable()
    {
        await using CacheClient client = new(
            Configurations.Laptop.V1() with
            {
                RequestTimeout = TimeSpan.FromMilliseconds(200),
            },
            CredentialProvider.Local(port: 1),
            TimeSpan.FromMinutes(1));
        GetOrCreateResult<CacheValue> answer = await Eventually.Within(client.Cache("cache").GetOrCreateAsync("k", _ => ValueTask.FromResult("v"u8.ToArray())));
        Assert.Equal("v", Expect.Uncached(answer).Value.Text);
    }

    [Fact]
    public async Task GetOrCreate_factory_exception_reaches_callers_and_is_not_cached()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1());
        await Assert.ThrowsAsync<InvalidOperationException>(async () =>
            await client.Cache("cache").GetOrCreateAsync("k", _ => throw new InvalidOperationException("no")));
        Expect.Created(await client.Cache("cache").GetOrCreateAsync("k", _ => ValueTask.FromResult("v"u8.ToArray())));
    }

    [Fact]
    public async Task GetOrCreate_cancels_factory_after_the_last_caller_cancels()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        TaskCompletionSource<CancellationToken> running = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenSource first = new();
        using CancellationTokenSource second = new();
        Task<GetOrCreateResult<CacheValue>> one = client.Cache("cache").GetOrCreateAsync("k", Make, cancellationToken: first.Token).AsTask();
        Task<GetOrCreateResult<CacheValue>> two = client.Cache("cache").GetOrCreateAsync("k", Make, cancellationToken: second.Token).AsTask();
        CancellationToken abandoned = await running.Task.WaitAsync(Eventually.Limit);
        await first.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => one);
        Assert.False(abandoned.IsCancellationRequested);
        await second.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => two);
        await Eventually.Holds(() => abandoned.IsCancellationRequested, "the factory's token is cancelled");

        async ValueTask<byte[]> Make(CancellationToken cancelled)
        {
            running.TrySetResult(cancelled);
            await Task.Delay(Timeout.Infinite, cancelled);
            return [];
        }
    }

    [Fact]
    public async Task GetOrCreate_concurrent_callers_receive_separate_bytes()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        TaskCompletionSource<byte[]> value = new();
        Task<GetOrCreateResult<CacheValue>>[] callers =
        [
            .. Enumerable.Range(0, 3).Select(_ => client.Cache("cache").GetOrCreateAsync("own", _ => new ValueTask<byte[]>(value.Task)).AsTask()),
        ];
        value.SetResult("v"u8.ToArray());
        GetOrCreateResult<CacheValue>[] answers = await Task.WhenAll(callers).WaitAsync(Eventually.Limit);
        foreach (GetOrCreateResult<CacheValue> answer in answers)
        {
            Assert.Equal("v", answer.Value.Text);
            System.Runtime.InteropServices.MemoryMarshal.AsMemory(answer.Value.Memory).Span[0] = (byte)'x';
        }
    }

    [Fact]
    public async Task GetOrCreate_does_not_store_value_after_a_failed_get()
    {
        await using TestClient test = new(Configurations.Laptop.V1() with { MaxRetries = 0 });
        ValueTask<GetOrCreateResult<CacheValue>> call = test.Cache.GetOrCreateAsync("unstored", _ => ValueTask.FromResult("v"u8.ToArray()));
        test.Transport.Fail(Larder.Wire.StatusCode.Unavailable);
        GetOrCreateResult<CacheValue> answer = Expect.Uncached(await Eventually.Within(call));
        Assert.Equal((CacheErrorCode.Unavailable, 0), (answer.Error!.Code, test.Transport.Count));
    }

    [Fact]
    public async Task GetOrCreate_cancelled_during_the_get_runs_no_factory()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        int made = 0;
        // If the cancelled call still ran its factory, the factory would run soon after the cancellation. Many rounds make such a run likely.
        for (int round = 0; round < 200; round++)
        {
            using CancellationTokenSource cancelled = new();
            Task<GetOrCreateResult<CacheValue>> call = test.Cache.GetOrCreateAsync($"cancelled-{round}", Make, cancellationToken: cancelled.Token).AsTask();
            await cancelled.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
            await Eventually.Holds(() => test.Client.InFlight == 0, "the get is given up");
        }

        Assert.Equal(0, Volatile.Read(ref made));

        ValueTask<byte[]> Make(CancellationToken token)
        {
            Interlocked.Increment(ref made);
            return ValueTask.FromResult<byte[]>([1]);
        }
    }

    [Fact]
    public async Task GetOrCreate_throws_if_factory_returns_null()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1());
        await Assert.ThrowsAsync<InvalidOperationException>(async () =>
            await client.Cache("cache").GetOrCreateAsync("null", _ => ValueTask.FromResult<byte[]>(null!)));
        Expect.Created(await client.Cache("cache").GetOrCreateAsync("null", _ => ValueTask.FromResult<byte[]>([])));
    }

    [Fact]
    public async Task GetOrCreate_factories_can_nest_requests_for_other_keys()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        GetOrCreateResult<CacheValue>[] made =
            await Task.WhenAll(Enumerable.Range(0, 64).Select(caller => Nest(caller, 20).AsTask())).WaitAsync(Eventually.Limit);
        Assert.All(made, static answer => Assert.Equal([0], Expect.Created(answer).Value.ToArray()));

        ValueTask<GetOrCreateResult<CacheValue>> Nest(int caller, int depth) => client.Cache("cache").GetOrCreateAsync(
            $"{caller}-{depth}",
            async _ => depth == 0 ? [0] : (await Nest(caller, depth - 1)).Value.ToArray());
    }

    [Fact]
    public async Task GetOrCreate_factory_can_request_its_own_key()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        GetOrCreateResult<CacheValue> made =
            await Eventually.Within(client.Cache("cache").GetOrCreateAsync("self", async _ => (await Inner()).Value.ToArray()));
        Assert.Equal("inner", Expect.Created(made).Value.Text);

        ValueTask<GetOrCreateResult<CacheValue>> Inner() =>
            client.Cache("cache").GetOrCreateAsync("self", static _ => ValueTask.FromResult("inner"u8.ToArray()));
    }

    [Fact]
    public async Task GetOrCreate_factories_requesting_each_others_keys_do_not_deadlock()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        string[] keys = ["one", "other"];
        using Barrier met = new(2);
        GetOrCreateResult<CacheValue>[] made =
            await Task.WhenAll(Enumerable.Range(0, 2).Select(mine => Task.Run(() => Make(mine).AsTask()))).WaitAsync(Eventually.Limit);
        Assert.All(made, static answer => Assert.Contains(answer.Value.Text, (string[])["one", "other", "plain"]));

        // Each factory waits until both factories are running. It then requests the other factory's key with two concurrent calls.
        ValueTask<GetOrCreateResult<CacheValue>> Make(int mine) => client.Cache("cache").GetOrCreateAsync(keys[mine], async abandoned =>
        {
            Assert.True(met.SignalAndWait(Eventually.Limit, abandoned));
            await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => Plain(keys[1 - mine]).AsTask()));
            return System.Text.Encoding.UTF8.GetBytes(keys[mine]);
        });

        ValueTask<GetOrCreateResult<CacheValue>> Plain(string key) =>
            client.Cache("cache").GetOrCreateAsync(key, static _ => ValueTask.FromResult("plain"u8.ToArray()));
    }

    [Fact]
    public async Task GetOrCreate_deadlock_check_visits_each_nested_load_once()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        TaskCompletionSource reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
        TaskCompletionSource<byte[]> last = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<GetOrCreateResult<CacheValue>> made = Nest(0).AsTask();
        await reached.Task.WaitAsync(Eventually.Limit);
        TaskCompletionSource asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<GetOrCreateResult<CacheValue>> outside = client.Cache("cache").GetOrCreateAsync("outside", Outside).AsTask();
        await asked.Task.WaitAsync(Eventually.Limit);
        last.SetResult([7]);
        Assert.Equal([7], (await made.WaitAsync(Eventually.Limit)).Value.ToArray());
        Assert.Equal([7], (await outside.WaitAsync(Eventually.Limit)).Value.ToArray());

        // The last key can be reached in 2 to the power of 40 ways.
        ValueTask<GetOrCreateResult<CacheValue>> Nest(int depth) => client.Cache("cache").GetOrCreateAsync($"twice-{depth}", async _ =>
        {
            if (depth == 40)
            {
                reached.SetResult();
                return await last.Task;
            }

            GetOrCreateResult<CacheValue>[] both = await Task.WhenAll(Nest(depth + 1).AsTask(), Nest(depth + 1).AsTask());
            return both[0].Value.ToArray();
        });

        async ValueTask<byte[]> Outside(CancellationToken cancelled)
        {
            ValueTask<GetOrCreateResult<CacheValue>> first = Nest(0);
            asked.SetResult();
            return (await first).Value.ToArray();
        }
    }
}
