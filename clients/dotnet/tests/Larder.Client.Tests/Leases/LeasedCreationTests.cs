using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Larder.Harness.Proxies;
using Larder.Wire;

namespace Larder.Client.Tests;

public sealed class LeasedCreationTests : IAsyncLifetime
{
    private static readonly Configuration Patient = Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) };

    private readonly ManualTime _serverTime = new();
    private RunningServer _server = null!;
    private int _made;

    public async Task InitializeAsync() => _server = await RunningServer.StartAsync(time: _serverTime);

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Leased_GetOrCreate_runs_factory_once_for_several_clients()
    {
        // Clients of one process share creations in progress if they have the same endpoint. So each client uses its own proxy, as if it were in its own
        // process.
        List<FaultProxy> proxies = [.. Enumerable.Range(0, 4).Select(_ => new FaultProxy(_server.Port))];
        List<CacheClient> clients = [.. proxies.Select(proxy => Connect(proxy.Port))];
        TaskCompletionSource<byte[]> value = new();
        Task<GetOrCreateResult<CacheValue>>[] callers =
        [
            .. clients.SelectMany(client => Enumerable.Repeat(client, 50))
                .Select(client => client.Cache("cache").GetOrCreateAsync("k", Make, new GetOrCreateOptions()).AsTask()),
        ];
        await Eventually.Holds(() => Volatile.Read(ref _made) == 1, "a factory runs");
        await Task.Delay(100);
        value.SetResult("v"u8.ToArray());
        GetOrCreateResult<CacheValue>[] answers = await Task.WhenAll(callers).WaitAsync(Eventually.Limit);
        Assert.All(answers, static answer => Assert.Equal("v", answer.Value.Text));
        Assert.Equal(1, _made);
        Assert.Equal(150, answers.Count(static answer => answer is { Source: GetOrCreateSource.Hit }));
        foreach (CacheClient client in clients)
        {
            await client.DisposeAsync();
        }

        foreach (FaultProxy proxy in proxies)
        {
            await proxy.DisposeAsync();
        }

        async ValueTask<byte[]> Make(CancellationToken cancelled)
        {
            Interlocked.Increment(ref _made);
            return await value.Task.WaitAsync(cancelled);
        }
    }

    [Fact]
    public async Task Another_client_gets_expired_lease_and_late_value_is_discarded()
    {
        await using FaultProxy proxy = new(_server.Port);
        await using CacheClient dead = Connect();
        await using CacheClient next = Connect(proxy.Port);
        TaskCompletionSource<byte[]> late = new();
        GetOrCreateOptions options = new() { Lease = TimeSpan.FromMilliseconds(200) };
        Task<GetOrCreateResult<CacheValue>> first = dead.Cache("cache").GetOrCreateAsync("k", _ => Count(late.Task), options).AsTask();
        await Eventually.Holds(() => Volatile.Read(ref _made) == 1, "the first factory runs");
        Task<GetOrCreateResult<CacheValue>> second =
            next.Cache("cache").GetOrCreateAsync("k", _ => Count(Task.FromResult("second"u8.ToArray())), options).AsTask();
        _serverTime.AdvanceMs(199);
        await Task.Delay(150);
        Assert.Equal(1, Volatile.Read(ref _made));
        _serverTime.AdvanceMs(1);
        Expect.Created(await second.WaitAsync(Eventually.Limit));
        late.SetResult("late"u8.ToArray());
        Assert.Equal("late", (await first).Value.Text);
        Assert.Equal("second", (await next.Cache("cache").GetAsync("k")).Value.Text);
        Assert.Equal(2, _made);
    }

    [Fact]
    public async Task Factory_exception_releases_the_lease_immediately()
    {
        await using CacheClient client = Connect();
        GetOrCreateOptions options = new() { Lease = TimeSpan.FromMinutes(10) };
        await Assert.ThrowsAsync<InvalidOperationException>(async () =>
            await client.Cache("cache").GetOrCreateAsync("k", _ => throw new InvalidOperationException("no"), options));
        Expect.Created(await Eventually.Within(client.Cache("cache").GetOrCreateAsync("k", _ => Value("v"), options)));
    }

    [Fact]
    public async Task Cancelled_load_releases_its_lease()
    {
        await using CacheClient client = Connect();
        GetOrCreateOptions options = new() { Lease = TimeSpan.FromMinutes(10) };
        using CancellationTokenSource leave = new();
        Task<GetOrCreateResult<CacheValue>> left = client.Cache("cache").GetOrCreateAsync("k", Hang, options, leave.Token).AsTask();
        await Eventually.Holds(() => Volatile.Read(ref _made) == 1, "the factory runs");
        await leave.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => left);
        Assert.Equal("v", (await client.Cache("cache").GetOrCreateAsync("k", _ => Value("v"), options).AsTask().WaitAsync(Eventually.Limit)).Value.Text);

        async ValueTask<byte[]> Hang(CancellationToken cancelled)
        {
            Interlocked.Increment(ref _made);
            await Task.Delay(Timeout.Infinite, cancelled);
            return [];
        }
    }

    [Fact]
    public async Task Lease_granted_after_cancellation_is_released()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        using CancellationTokenSource leave = new();
        GetOrCreateOptions options = new();
        Task<GetOrCreateResult<CacheValue>> left = test.Cache.GetOrCreateAsync("k", _ => Count(Task.FromResult<byte[]>([])), options, leave.Token).AsTask();
        test.Transport.Answer(TestClient.Missed);
        await Eventually.Holds(() => test.Transport.Count == 1, "it asks for the lease");
        await leave.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => left);
        Protocol.GetOrLeaseResponse lease = new() { Lease = new() { Token = ByteString.CopyFromUtf8("t") } };
        Assert.True(test.Transport.Answer(lease.ToByteArray()));
        await Eventually.Holds(() => test.Transport.Count == 1, "it gives the lease back");
        Assert.True(test.Transport.Answer([]));
        Assert.Equal(0, _made);
    }

    [Fact]
    public async Task Stale_value_is_returned_while_one_caller_refreshes_it()
    {
        await using CacheClient client = Connect();
        GetOrCreateOptions options = new() { Ttl = TimeSpan.FromMilliseconds(1), RevalidateFor = TimeSpan.FromHours(1) };
        await client.Cache("cache").GetOrCreateAsync("k", _ => Value("old"), options);
        _serverTime.AdvanceMs(2);
        TaskCompletionSource<byte[]> value = new();
        GetOrCreateOptions longer = options with { Ttl = TimeSpan.FromHours(1) };
        for (int i = 0; i < 10; i++)
        {
            GetOrCreateResult<CacheValue> answer = await client.Cache("cache").GetOrCreateAsync("k", _ => Count(value.Task), longer);
            GetOrCreateResult<CacheValue> stale = Expect.Stale(answer);
            Assert.Equal("old", stale.Value.Text);
            Assert.True(stale.Expired > TimeSpan.Zero);
        }

        value.SetResult("new"u8.ToArray());
        while (await client.Cache("cache").GetAsync("k") is not { IsHit: true, Value.Text: "new" })
        {
            await Task.Delay(10);
        }

        Assert.Equal(1, _made);
    }

    [Fact]
    public async Task Stale_value_is_returned_only_if_the_factory_throws()
    {
        await using CacheClient client = Connect();
        GetOrCreateOptions options = new() { Ttl = TimeSpan.FromMilliseconds(1), FailSafeFor = TimeSpan.FromHours(1) };
        await client.Cache("cache").GetOrCreateAsync("k", _ => Value("old"), options);
        _serverTime.AdvanceMs(2);
        GetOrCreateResult<CacheValue> stale = await client.Cache("cache").GetOrCreateAsync("k", _ => throw new InvalidOperationException("no"), options);
        Assert.Equal("old", Expect.Stale(stale).Value.Text);
        GetOrCreateResult<CacheValue> created = await client.Cache("cache").GetOrCreateAsync("k", _ => Value("new"), options);
        Assert.Equal("new", Expect.Created(created).Value.Text);
        await client.Cache("cache").DeleteAsync("k");
        await Assert.ThrowsAsync<InvalidOperationException>(async () =>
            await client.Cache("cache").GetOrCreateAsync("k", _ => throw new InvalidOperationException("no"), options));
    }

    [Fact]
    public async Task Soft_timeout_returns_stale_value_and_stores_the_late_result()
    {
        await using CacheClient client = Connect();
        GetOrCreateOptions options = new()
        {
            Ttl = TimeSpan.FromMilliseconds(100),
            FailSafeFor = TimeSpan.FromHours(1),
            SoftTimeout = TimeSpan.FromMilliseconds(10),
        };
        await client.Cache("cache").GetOrCreateAsync("k", _ => Value("old"), options);
        _serverTime.AdvanceMs(200);
        TaskCompletionSource<byte[]> slow = new(TaskCreationOptions.RunContinuationsAsynchronously);
        CancellationToken given = default;
        GetOrCreateResult<CacheValue> answer = await client.Cache("cache").GetOrCreateAsync("k", token => Given(token, slow.Task), options);
        Assert.Equal("old", Expect.Stale(answer).Value.Text);
        Assert.False(given.IsCancellationRequested);
        slow.SetResult("new"u8.ToArray());
        while (await client.Cache("cache").GetAsync("k") is not { IsHit: true, Value.Text: "new" })
        {
            await Task.Delay(10);
        }

        ValueTask<byte[]> Given(CancellationToken token, Task<byte[]> value)
        {
            given = token;
            return new ValueTask<byte[]>(value);
        }
    }

    [Fact]
    public async Task Leased_factory_can_request_its_own_key()
    {
        await using CacheClient client = Connect();
        GetOrCreateOptions options = new() { Lease = TimeSpan.FromMinutes(10) };
        GetOrCreateResult<CacheValue> answer = await client.Cache("cache").GetOrCreateAsync("k", InnerAsync, options);
        Assert.Equal("inner", Expect.Created(answer).Value.Text);

        async ValueTask<byte[]> InnerAsync(CancellationToken abandoned) =>
            (await client.Cache("cache").GetOrCreateAsync("k", _ => Value("inner"), options, abandoned)).Value.ToArray();
    }

    [Fact]
    public async Task Oversized_value_is_returned_Uncached_and_releases_its_lease()
    {
        await using CacheClient one = Connect();
        await using CacheClient other = Connect();
        GetOrCreateOptions options = new() { Lease = TimeSpan.FromMinutes(10) };
        byte[] large = new byte[6_000_000];
        Expect.Uncached(await one.Cache("cache").GetOrCreateAsync("k", _ => new ValueTask<byte[]>(large), options));
        Expect.Created(await other.Cache("cache").GetOrCreateAsync("k", _ => Value("small"), options));
    }

    [Fact]
    public async Task Caller_cancelled_before_the_soft_timeout_cancels_its_factory()
    {
        await using CacheClient client = Connect();
        GetOrCreateOptions options = new()
        {
            Ttl = TimeSpan.FromMilliseconds(1),
            FailSafeFor = TimeSpan.FromHours(1),
            SoftTimeout = TimeSpan.FromMinutes(10),
        };
        await client.Cache("cache").GetOrCreateAsync("k", _ => Value("old"), options);
        _serverTime.AdvanceMs(2);
        using CancellationTokenSource leaves = new();
        TaskCompletionSource begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<GetOrCreateResult<CacheValue>> call = client.Cache("cache").GetOrCreateAsync("k", NeverAsync, options, leaves.Token).AsTask();
        await begun.Task;
        await leaves.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        Expect.Created(await client.Cache("cache").GetOrCreateAsync("k", _ => Value("new"), options));

        async ValueTask<byte[]> NeverAsync(CancellationToken abandoned)
        {
            begun.SetResult();
            await Task.Delay(Timeout.Infinite, abandoned);
            return [];
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Hard_timeout_abandons_the_factory_and_releases_the_lease(bool listens)
    {
        await using CacheClient client = Connect();
        GetOrCreateOptions options = new()
        {
            Ttl = TimeSpan.FromMilliseconds(100),
            FailSafeFor = TimeSpan.FromHours(1),
            HardTimeout = TimeSpan.FromMilliseconds(10),
        };
        await Assert.ThrowsAsync<TimeoutException>(async () => await client.Cache("cache").GetOrCreateAsync("k", NeverAsync, options));
        await client.Cache("cache").GetOrCreateAsync("k", _ => Value("old"), options);
        _serverTime.AdvanceMs(200);
        Expect.Stale(await client.Cache("cache").GetOrCreateAsync("k", NeverAsync, options));
        Expect.Created(await client.Cache("cache").GetOrCreateAsync("k", _ => Value("new"), options));

        async ValueTask<byte[]> NeverAsync(CancellationToken abandoned)
        {
            await Task.Delay(Timeout.Infinite, listens ? abandoned : CancellationToken.None);
            return [];
        }
    }

    [Fact]
    public async Task Hard_timeout_applies_even_if_the_cache_fails()
    {
        await using TestClient test = new(Configurations.Laptop.V1() with { MaxRetries = 0 });
        GetOrCreateOptions options = new() { HardTimeout = TimeSpan.FromMilliseconds(10) };
        TaskCompletionSource<byte[]> never = new();
        Task<GetOrCreateResult<CacheValue>> call = test.Cache.GetOrCreateAsync("k", _ => new ValueTask<byte[]>(never.Task), options).AsTask();
        test.Transport.Fail(StatusCode.PermissionDenied);
        await Assert.ThrowsAsync<TimeoutException>(() => call);
    }

    [Fact]
    public async Task Value_becomes_stale_exactly_at_its_expiry()
    {
        await using CacheClient client = Connect();
        GetOrCreateOptions kept = new() { Ttl = TimeSpan.FromMilliseconds(100), FailSafeFor = TimeSpan.FromHours(1) };
        await client.Cache("cache").GetOrCreateAsync("k", _ => Value("old"), kept);
        _serverTime.AdvanceMs(100);
        await Assert.ThrowsAsync<InvalidOperationException>(async () =>
            await client.Cache("cache").GetOrCreateAsync("k", _ => throw new InvalidOperationException("no"), new GetOrCreateOptions()));
        Expect.Created(await client.Cache("cache").GetOrCreateAsync("k", _ => Value("new"), kept));
    }

    [Fact]
    public async Task RemoveByTag_deletes_the_value_and_loads_in_progress_store_nothing()
    {
        await using CacheClient client = Connect();
        GetOrCreateOptions options = new() { Tags = ["red"] };
        await client.Cache("cache").GetOrCreateAsync("k", _ => Value("v"), options);
        await client.Cache("cache").RemoveByTagAsync(["red"]);
        TaskCompletionSource<byte[]> value = new();
        Task<GetOrCreateResult<CacheValue>> loading = client.Cache("cache").GetOrCreateAsync("k", _ => Count(value.Task), options).AsTask();
        await Eventually.Holds(() => Volatile.Read(ref _made) == 1, "the factory runs");
        await client.Cache("cache").RemoveByTagAsync(["red"]);
        value.SetResult("read before"u8.ToArray());
        Assert.Equal("read before", (await loading).Value.Text);
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
    }

    [Fact]
    public async Task Jitter_shortens_the_ttl_by_at_most_the_configured_fraction()
    {
        await using CacheClient client = Connect();
        GetOrCreateOptions options = new() { Ttl = TimeSpan.FromHours(1), Jitter = 0.5 };
        List<TimeSpan> times = [];
        for (int i = 0; i < 50; i++)
        {
            await client.Cache("cache").GetOrCreateAsync($"k{i}", _ => Value("v"), options);
            times.Add((await client.Cache("cache").ItemGetTtlAsync($"k{i}")).Value);
        }

        Assert.All(times, static time => Assert.InRange(time, TimeSpan.FromMinutes(29), TimeSpan.FromHours(1)));
        Assert.True(times.Max() - times.Min() > TimeSpan.FromMinutes(3));
    }

    [Fact]
    public async Task Invalid_options_are_rejected_before_any_call()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        foreach (GetOrCreateOptions options in (GetOrCreateOptions[])[
            new() { Lease = TimeSpan.Zero },
            new() { Lease = TimeSpan.FromMinutes(10) + TimeSpan.FromTicks(1) },
            new() { Lease = TimeSpan.MaxValue },
            new() { SoftTimeout = TimeSpan.Zero },
            new() { SoftTimeout = TimeSpan.FromMinutes(10) + TimeSpan.FromTicks(1) },
            new() { HardTimeout = TimeSpan.FromTicks(-1) },
            new() { HardTimeout = TimeSpan.MaxValue },
            new() { RevalidateFor = TimeSpan.FromTicks(-1) },
            new() { FailSafeFor = TimeSpan.FromDays(3_650) },
            new() { Jitter = -0.1 },
            new() { Jitter = double.NaN },
            new() { Jitter = 1.1 },
            new() { Ttl = TimeSpan.Zero },
            new() { Tags = null! },
            new() { Tags = [""] },
            new() { Tags = [.. Enumerable.Repeat<CacheBytes>("t", 129)] }])
        {
            await Assert.ThrowsAnyAsync<ArgumentException>(async () => await test.Cache.GetOrCreateAsync("k", _ => Value("v"), options));
        }

        Assert.Equal(0, test.Transport.Count);
    }

    [Fact]
    public async Task Unreachable_server_does_not_fail_a_leased_GetOrCreate()
    {
        await using CacheClient client = new(
            Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromMilliseconds(200) },
            CredentialProvider.Local(port: 1),
            TimeSpan.FromMinutes(1));
        GetOrCreateResult<CacheValue> answer = await Eventually.Within(
            client.Cache("cache").GetOrCreateAsync("k", _ => Value("v"), new GetOrCreateOptions { Tags = ["t"] }));
        Assert.Equal("v", Expect.Uncached(answer).Value.Text);
    }

    [Fact]
    public async Task Server_without_leases_stores_only_values_without_tags()
    {
        await using UnaryOnlyServer server = UnaryOnlyServer.Start();
        await using CacheClient client = Connect(server.Port);
        Expect.Created(await client.Cache("cache").GetOrCreateAsync("k", _ => Value("v"), new GetOrCreateOptions()));
        Assert.Equal(1, server.Sets);
        GetOrCreateOptions tagged = new() { Tags = ["t"] };
        Expect.Uncached(await client.Cache("cache").GetOrCreateAsync("k", _ => Value("v"), tagged));
        Assert.Equal(1, server.Sets);
        Assert.Equal(CacheErrorCode.Unknown, Expect.Error(await client.Cache("cache").RemoveByTagAsync(["t"])).Code);
    }

    private static ValueTask<byte[]> Value(string text) => ValueTask.FromResult(System.Text.Encoding.UTF8.GetBytes(text));

    [SuppressMessage("Reliability", "CA2012", Justification = "It is awaited by its one caller.")]
    private ValueTask<byte[]> Count(Task<byte[]> value)
    {
        Interlocked.Increment(ref _made);
        return new ValueTask<byte[]>(value);
    }

    private CacheClient Connect(int port = 0) =>
        new(Patient, CredentialProvider.Local(port: port == 0 ? _server.Port : port), TimeSpan.FromMinutes(1));
}
