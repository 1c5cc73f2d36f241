using Larder.Client.Tests.Support;

namespace Larder.Client.Tests;

/// <summary>Tests every operation against the real server, over both transports.</summary>
public sealed class RoundTripTests
{
    public static TheoryData<Transport> Transports => [Transport.Unary, Transport.Pipeline];

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Client_stores_reads_updates_and_deletes_items(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));
        Cache cache = client.Cache("cache");

        Expect.Miss(await cache.GetAsync("k"));
        Expect.Success(await cache.SetAsync("k", "value"));
        Assert.Equal("value", Expect.Hit(await cache.GetAsync("k")).Text);
        Assert.True(Expect.Success(await cache.KeyExistsAsync("k")));
        Assert.InRange(
            Expect.Hit(await cache.ItemGetTtlAsync("k")),
            TimeSpan.FromSeconds(1),
            TimeSpan.FromMinutes(1));
        Assert.True(Expect.Hit(await cache.IncreaseTtlAsync("k", TimeSpan.FromMinutes(5))));
        Assert.False(Expect.Hit(await cache.IncreaseTtlAsync("k", TimeSpan.FromMinutes(2))));
        Assert.True(Expect.Hit(await cache.DecreaseTtlAsync("k", TimeSpan.FromMinutes(2))));
        Assert.True(Expect.Hit(await cache.UpdateTtlAsync("k", TimeSpan.FromMinutes(9))));
        Expect.Miss(await cache.UpdateTtlAsync("none", TimeSpan.FromMinutes(9)));
        Assert.Equal(CacheItemType.Scalar, Expect.Hit(await cache.ItemGetTypeAsync("k")));
        Expect.Success(await cache.DeleteAsync("k"));
        Expect.Miss(await cache.GetAsync("k"));
        Assert.Equal(7, Expect.Success(await cache.IncrementAsync("n", 7)));
        Assert.Equal(-3, Expect.Success(await cache.IncrementAsync("n", -10)));
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Conditional_set_stores_value_only_if_its_condition_is_met(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));
        Cache cache = client.Cache("cache");

        Expect.NotStored(await cache.SetIfPresentAsync("k", "0"));
        Expect.Stored(await cache.SetIfAbsentAsync("k", "1"));
        Expect.NotStored(await cache.SetIfAbsentAsync("k", "2"));
        Expect.Stored(await cache.SetIfEqualAsync("k", "2", "1"));
        Expect.NotStored(await cache.SetIfNotEqualAsync("k", "3", "2"));
        Expect.Stored(await cache.SetIfPresentAndNotEqualAsync("k", "3", "x"));
        Expect.NotStored(await cache.SetIfAbsentOrEqualAsync("k", "4", "x"));
        HashedValue hit = Expect.Hit(await cache.GetWithHashAsync("k"));
        ReadOnlyMemory<byte> stored = Expect.Stored(await cache.SetIfPresentAndHashEqualAsync("k", "5", hit.Hash));
        Expect.NotStored(await cache.SetIfAbsentOrHashEqualAsync("k", "6", hit.Hash));
        Expect.NotStored(await cache.SetIfPresentAndNotHashEqualAsync("k", "6", stored));
        Expect.NotStored(await cache.SetIfAbsentOrNotHashEqualAsync("k", "6", stored));
        Expect.Stored(await cache.SetWithHashAsync("k", "7"));
        Assert.Equal("7", Expect.Hit(await cache.GetAsync("k")).Text);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Batches_return_results_in_request_order(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));
        Cache cache = client.Cache("cache");

        IReadOnlyList<CacheResult> sets = Expect.Success(
            await cache.SetBatchAsync([.. Enumerable.Range(0, 50).Select(index => new SetBatchItem($"k{index}", $"v{index}"))]));
        Assert.Equal(50, sets.Count);
        IReadOnlyList<LookupResult<CacheValue>> gets = Expect.Success(await cache.GetBatchAsync(["k49", "none", "k0"]));
        Assert.Equal("v49", Expect.Hit(gets[0]).Text);
        Expect.Miss(gets[1]);
        Assert.Equal("v0", Expect.Hit(gets[2]).Text);
        Assert.Equal([true, false], Expect.Success(await cache.KeysExistAsync(["k1", "none"])));
        Assert.Empty(Expect.Success(await cache.GetBatchAsync([])));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Caches_are_created_listed_flushed_and_deleted(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));

        Expect.Success(await client.PingAsync());
        Assert.Equal(CacheErrorCode.NotFound, Expect.Error(await client.Cache("other").GetAsync("k")).Code);
        Expect.Success(await client.CreateCacheAsync("other"));
        Assert.Equal(CacheErrorCode.AlreadyExists, Expect.Error(await client.CreateCacheAsync("other")).Code);
        Assert.Equal(["cache", "other"], Expect.Success(await client.ListCachesAsync()).Select(cache => cache.Name).Order());
        Expect.Success(await client.Cache("other").SetAsync("k", "v"));
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
        Expect.Success(await client.FlushCacheAsync("other"));
        Expect.Miss(await client.Cache("other").GetAsync("k"));
        Expect.Success(await client.DeleteCacheAsync("other"));
        Assert.Equal(CacheErrorCode.NotFound, Expect.Error(await client.DeleteCacheAsync("other")).Code);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Errors_contain_code_and_cause(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));

        await client.Cache("cache").SetAsync("text", "no number");
        Assert.Equal(CacheErrorCode.FailedPrecondition, Expect.Error(await client.Cache("cache").IncrementAsync("text")).Code);
        CacheError large = Expect.Error(await client.Cache("cache").SetAsync("k", new byte[5_000_192]));
        Assert.Equal((CacheErrorCode.LimitExceeded, "request_size_limit_exceeded"), (large.Code, large.Cause));
        Assert.Equal(("set", 1, 1), (large.Operation, large.KeyLength, large.Attempts));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Values_of_any_size_round_trip(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));
        foreach (int size in (int[])[0, 1, 100, 16_384, 65_536, 65_537, 300_000, 5_000_000])
        {
            byte[] value = new byte[size];
            new Random(size).NextBytes(value);
            Expect.Success(await client.Cache("cache").SetAsync($"size {size}", value));
            Assert.Equal(value, Expect.Hit(await client.Cache("cache").GetAsync($"size {size}")).ToArray());
        }

        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Thousands_of_callers_receive_their_own_responses(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));
        await Task.WhenAll(Enumerable.Range(0, 3_000).Select(async caller =>
        {
            for (int round = 0; round < 3; round++)
            {
                Expect.Success(await client.Cache("cache").SetAsync($"k{caller}", $"{caller}/{round}"));
                Assert.Equal($"{caller}/{round}", Expect.Hit(await client.Cache("cache").GetAsync($"k{caller}")).Text);
            }
        })).WaitAsync(Eventually.Limit);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task N8_cancellation_at_any_point_leaks_no_permit(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport) with { MaxInFlightUnary = 20, MaxInFlightPipeline = 20 });
        for (int key = 0; key < 100; key++)
        {
            await client.Cache("cache").SetAsync($"k{key}", $"v{key}");
        }

        int cancelled = 0;
        await Task.WhenAll(Enumerable.Range(0, 200).Select(caller => Task.Run(async () =>
        {
            Random random = new(caller);
            for (int call = 0; call < 100; call++)
            {
                int key = random.Next(100);
                using CancellationTokenSource cancellation = new();
                ValueTask<LookupResult<CacheValue>> get = client.Cache("cache").GetAsync($"k{key}", cancellation.Token);
                for (int spin = random.Next(200); spin > 0; spin--)
                {
                    Thread.SpinWait(20);
                }

                Task cancelling = random.Next(2) == 0 ? cancellation.CancelAsync() : Task.CompletedTask;
                LookupResult<CacheValue> answer = await get;
                await cancelling;
                if (answer is { Error: { } error })
                {
                    Assert.Equal(CacheErrorCode.Cancelled, error.Code);
                    Interlocked.Increment(ref cancelled);
                }
                else
                {
                    Assert.Equal($"v{key}", Expect.Hit(answer).Text);
                }
            }
        }))).WaitAsync(Eventually.Limit);
        Assert.True(cancelled > 0, "no call was cancelled");
        AssertIdle(client);
        Expect.Hit(await client.Cache("cache").GetAsync("k1"));
    }

    [Fact]
    public async Task Blocking_continuation_does_not_block_other_callers()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(Transport.Pipeline));
        using ManualResetEventSlim everyoneElse = new();
        int answered = 0;
        // Every hundredth caller blocks its thread until all other callers have received their responses.
        Task[] callers = [.. Enumerable.Range(0, 400).Select(async index =>
        {
            await client.Cache("cache").GetAsync("k").ConfigureAwait(false);
            if (index % 100 == 0)
            {
                Assert.True(everyoneElse.Wait(Eventually.Limit));
            }
            else if (Interlocked.Increment(ref answered) == 396)
            {
                everyoneElse.Set();
            }
        })];
        await Task.WhenAll(callers).WaitAsync(Eventually.Limit);
    }

    [Fact]
    public async Task Missing_or_wrong_token_fails_with_Unauthenticated_on_both_transports()
    {
        await using RunningServer server = await RunningServer.StartAsync(token: "secret");
        foreach (Transport transport in (Transport[])[Transport.Unary, Transport.Auto])
        {
            await using CacheClient without = server.Connect(TolerantConfiguration(transport));
            Assert.Equal(CacheErrorCode.Unauthenticated, Expect.Error(await without.Cache("cache").GetAsync("k")).Code);
            await using CacheClient with = new(
                TolerantConfiguration(transport),
                CredentialProvider.FromEndpoint("127.0.0.1", server.Port, "secret"),
                TimeSpan.FromMinutes(1));
            Expect.Miss(await with.Cache("cache").GetAsync("k"));
        }
    }

    private static Configuration TolerantConfiguration(Transport transport) =>
        Configurations.Laptop.V1() with { Transport = transport, RequestTimeout = TimeSpan.FromSeconds(50) };

    private static void AssertIdle(CacheClient client)
    {
        client.Limiter.AssertValid();
        Assert.Equal((0, 0), (client.InFlight, client.Queued));
    }
}
