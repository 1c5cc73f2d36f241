using Larder.Client.Tests.Support;

namespace Larder.Client.Tests;

/// <summary>Every operation against the real server, over both transports.</summary>
public sealed class RoundTripTests
{
    public static TheoryData<Transport> Transports => [Transport.Unary, Transport.Pipeline];

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Items_are_set_read_changed_and_deleted(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));
        Cache cache = client.Cache("cache");

        Assert.IsType<GetResponse.Miss>(await cache.GetAsync("k"));
        Assert.IsType<SetResponse.Success>(await cache.SetAsync("k", "value"));
        Assert.Equal("value", Assert.IsType<GetResponse.Hit>(await cache.GetAsync("k")).ValueString);
        Assert.True(Assert.IsType<KeyExistsResponse.Success>(await cache.KeyExistsAsync("k")).Exists);
        Assert.InRange(
            Assert.IsType<ItemGetTtlResponse.Found>(await cache.ItemGetTtlAsync("k")).RemainingTtl,
            TimeSpan.FromSeconds(1),
            TimeSpan.FromMinutes(1));
        Assert.IsType<UpdateTtlResponse.Set>(await cache.IncreaseTtlAsync("k", TimeSpan.FromMinutes(5)));
        Assert.IsType<UpdateTtlResponse.NotSet>(await cache.IncreaseTtlAsync("k", TimeSpan.FromMinutes(2)));
        Assert.IsType<UpdateTtlResponse.Set>(await cache.DecreaseTtlAsync("k", TimeSpan.FromMinutes(2)));
        Assert.IsType<UpdateTtlResponse.Set>(await cache.UpdateTtlAsync("k", TimeSpan.FromMinutes(9)));
        Assert.IsType<UpdateTtlResponse.Missing>(await cache.UpdateTtlAsync("none", TimeSpan.FromMinutes(9)));
        Assert.Equal(CacheItemType.Scalar, Assert.IsType<ItemGetTypeResponse.Found>(await cache.ItemGetTypeAsync("k")).Type);
        Assert.IsType<DeleteResponse.Success>(await cache.DeleteAsync("k"));
        Assert.IsType<GetResponse.Miss>(await cache.GetAsync("k"));
        Assert.Equal(7, Assert.IsType<IncrementResponse.Success>(await cache.IncrementAsync("n", 7)).Value);
        Assert.Equal(-3, Assert.IsType<IncrementResponse.Success>(await cache.IncrementAsync("n", -10)).Value);
        AssertIdle(client);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Conditional_sets_store_only_if_their_condition_holds(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));
        Cache cache = client.Cache("cache");

        Assert.IsType<SetIfResponse.NotStored>(await cache.SetIfPresentAsync("k", "0"));
        Assert.IsType<SetIfResponse.Stored>(await cache.SetIfAbsentAsync("k", "1"));
        Assert.IsType<SetIfResponse.NotStored>(await cache.SetIfAbsentAsync("k", "2"));
        Assert.IsType<SetIfResponse.Stored>(await cache.SetIfEqualAsync("k", "2", "1"));
        Assert.IsType<SetIfResponse.NotStored>(await cache.SetIfNotEqualAsync("k", "3", "2"));
        Assert.IsType<SetIfResponse.Stored>(await cache.SetIfPresentAndNotEqualAsync("k", "3", "x"));
        Assert.IsType<SetIfResponse.NotStored>(await cache.SetIfAbsentOrEqualAsync("k", "4", "x"));
        GetWithHashResponse.Hit hit = Assert.IsType<GetWithHashResponse.Hit>(await cache.GetWithHashAsync("k"));
        SetIfHashResponse.Stored stored = Assert.IsType<SetIfHashResponse.Stored>(await cache.SetIfPresentAndHashEqualAsync("k", "5", hit.Hash));
        Assert.IsType<SetIfHashResponse.NotStored>(await cache.SetIfAbsentOrHashEqualAsync("k", "6", hit.Hash));
        Assert.IsType<SetIfHashResponse.NotStored>(await cache.SetIfPresentAndNotHashEqualAsync("k", "6", stored.Hash));
        Assert.IsType<SetIfHashResponse.NotStored>(await cache.SetIfAbsentOrNotHashEqualAsync("k", "6", stored.Hash));
        Assert.IsType<SetIfHashResponse.Stored>(await cache.SetWithHashAsync("k", "7"));
        Assert.Equal("7", Assert.IsType<GetResponse.Hit>(await cache.GetAsync("k")).ValueString);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Batches_return_results_in_request_order(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));
        Cache cache = client.Cache("cache");

        SetBatchResponse.Success sets = Assert.IsType<SetBatchResponse.Success>(
            await cache.SetBatchAsync([.. Enumerable.Range(0, 50).Select(index => new SetBatchItem($"k{index}", $"v{index}"))]));
        Assert.Equal(50, sets.Responses.Count);
        GetBatchResponse.Success gets = Assert.IsType<GetBatchResponse.Success>(await cache.GetBatchAsync(["k49", "none", "k0"]));
        Assert.Equal("v49", Assert.IsType<GetResponse.Hit>(gets.Responses[0]).ValueString);
        Assert.IsType<GetResponse.Miss>(gets.Responses[1]);
        Assert.Equal("v0", Assert.IsType<GetResponse.Hit>(gets.Responses[2]).ValueString);
        Assert.Equal([true, false], Assert.IsType<KeysExistResponse.Success>(await cache.KeysExistAsync(["k1", "none"])).Exists);
        Assert.Empty(Assert.IsType<GetBatchResponse.Success>(await cache.GetBatchAsync([])).Responses);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Caches_are_created_listed_flushed_and_deleted(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));

        Assert.IsType<PingResponse.Success>(await client.PingAsync());
        Assert.Equal(CacheErrorCode.NotFound, Assert.IsType<GetResponse.Error>(await client.Cache("other").GetAsync("k")).Code);
        Assert.IsType<CreateCacheResponse.Success>(await client.CreateCacheAsync("other"));
        Assert.Equal(CacheErrorCode.AlreadyExists, Assert.IsType<CreateCacheResponse.Error>(await client.CreateCacheAsync("other")).Code);
        Assert.Equal(["cache", "other"], Assert.IsType<ListCachesResponse.Success>(await client.ListCachesAsync()).Caches.Select(cache => cache.Name).Order());
        Assert.IsType<SetResponse.Success>(await client.Cache("other").SetAsync("k", "v"));
        Assert.IsType<GetResponse.Miss>(await client.Cache("cache").GetAsync("k"));
        Assert.IsType<FlushCacheResponse.Success>(await client.FlushCacheAsync("other"));
        Assert.IsType<GetResponse.Miss>(await client.Cache("other").GetAsync("k"));
        Assert.IsType<DeleteCacheResponse.Success>(await client.DeleteCacheAsync("other"));
        Assert.Equal(CacheErrorCode.NotFound, Assert.IsType<DeleteCacheResponse.Error>(await client.DeleteCacheAsync("other")).Code);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Errors_contain_code_and_cause(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(transport));

        await client.Cache("cache").SetAsync("text", "no number");
        Assert.Equal(CacheErrorCode.FailedPrecondition, Assert.IsType<IncrementResponse.Error>(await client.Cache("cache").IncrementAsync("text")).Code);
        SetResponse.Error large = Assert.IsType<SetResponse.Error>(await client.Cache("cache").SetAsync("k", new byte[5_000_192]));
        Assert.Equal((CacheErrorCode.LimitExceeded, "request_size_limit_exceeded"), (large.Code, large.Failure.Cause));
        Assert.Equal(("set", 1, 1), (large.Failure.Operation, large.Failure.KeyLength, large.Failure.Attempts));
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
            Assert.IsType<SetResponse.Success>(await client.Cache("cache").SetAsync($"size {size}", value));
            Assert.Equal(value, Assert.IsType<GetResponse.Hit>(await client.Cache("cache").GetAsync($"size {size}")).ToArray());
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
                Assert.IsType<SetResponse.Success>(await client.Cache("cache").SetAsync($"k{caller}", $"{caller}/{round}"));
                Assert.Equal($"{caller}/{round}", Assert.IsType<GetResponse.Hit>(await client.Cache("cache").GetAsync($"k{caller}")).ValueString);
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
                ValueTask<GetResponse> get = client.Cache("cache").GetAsync($"k{key}", cancellation.Token);
                for (int spin = random.Next(200); spin > 0; spin--)
                {
                    Thread.SpinWait(20);
                }

                Task cancelling = random.Next(2) == 0 ? cancellation.CancelAsync() : Task.CompletedTask;
                GetResponse answer = await get;
                await cancelling;
                if (answer is GetResponse.Error error)
                {
                    Assert.Equal(CacheErrorCode.Cancelled, error.Code);
                    Interlocked.Increment(ref cancelled);
                }
                else
                {
                    Assert.Equal($"v{key}", Assert.IsType<GetResponse.Hit>(answer).ValueString);
                }
            }
        }))).WaitAsync(Eventually.Limit);
        Assert.True(cancelled > 0, "no call was cancelled");
        AssertIdle(client);
        Assert.IsType<GetResponse.Hit>(await client.Cache("cache").GetAsync("k1"));
    }

    [Fact]
    public async Task Blocking_continuation_does_not_block_other_callers()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(TolerantConfiguration(Transport.Pipeline));
        using ManualResetEventSlim everyoneElse = new();
        int answered = 0;
        // One in a hundred callers blocks its thread until all others have received their responses.
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
    public async Task Missing_or_wrong_token_is_Unauthenticated_on_both_transports()
    {
        await using RunningServer server = await RunningServer.StartAsync(token: "secret");
        foreach (Transport transport in (Transport[])[Transport.Unary, Transport.Auto])
        {
            await using CacheClient without = server.Connect(TolerantConfiguration(transport));
            Assert.Equal(CacheErrorCode.Unauthenticated, Assert.IsType<GetResponse.Error>(await without.Cache("cache").GetAsync("k")).Code);
            await using CacheClient with = new(
                TolerantConfiguration(transport),
                CredentialProvider.FromEndpoint("127.0.0.1", server.Port, "secret"),
                TimeSpan.FromMinutes(1));
            Assert.IsType<GetResponse.Miss>(await with.Cache("cache").GetAsync("k"));
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
