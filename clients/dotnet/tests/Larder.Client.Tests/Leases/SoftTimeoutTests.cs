using System.Collections.Concurrent;
using System.Text;
using Larder.Client.Leases;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Leases;

/// <summary>Tests that a caller gets a stale value after the soft timeout, whichever process loads the new value (GOC-10, GOC-13).</summary>
public sealed class SoftTimeoutTests : IAsyncLifetime
{
    private static readonly GetOrCreateOptions Patient =
        new() { Ttl = TimeSpan.FromMilliseconds(100), FailSafeFor = TimeSpan.FromHours(1), Lease = TimeSpan.FromMinutes(10) };

    private static readonly GetOrCreateOptions Soft = Patient with { SoftTimeout = TimeSpan.FromMilliseconds(10) };

    private readonly ManualTime _serverTime = new();
    private readonly TaskCompletionSource<byte[]> _value = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ConcurrentDictionary<int, CancellationToken> _started = new();
    private RunningServer _server = null!;
    private CacheClient _loads = null!;
    private CacheClient _waits = null!;

    public async Task InitializeAsync()
    {
        _server = await RunningServer.StartAsync(time: _serverTime);
        Configuration configuration = Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) };
        _loads = _server.Connect(configuration);
        _waits = _server.Connect(configuration);
    }

    public async Task DisposeAsync()
    {
        _value.TrySetCanceled();
        await _loads.DisposeAsync();
        await _waits.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task Caller_that_waits_for_another_process_gets_the_stale_value()
    {
        await ExpireAsync(1);
        Task<GetOrCreateResult<CacheValue>> load = AskAsync(_loads, 0, Patient);
        await Eventually.Holds(() => _started.Count == 1, "the factory runs");
        Assert.Equal("old", Expect.Stale(await AskAsync(_waits, 1, Soft, key: 0).WaitAsync(Eventually.Limit)).Value.Text);
        Assert.Single(_started);
        _value.SetResult("new"u8.ToArray());
        Assert.Equal("new", Expect.Created(await load).Value.Text);
    }

    [Fact]
    public async Task Callers_of_one_process_get_the_stale_value_according_to_their_own_options()
    {
        await ExpireAsync(1);
        Task<GetOrCreateResult<CacheValue>> load = AskAsync(_loads, 0, Patient);
        await Eventually.Holds(() => _started.Count == 1, "the factory runs");
        Assert.Equal("old", Expect.Stale(await AskAsync(_loads, 1, Soft, key: 0).WaitAsync(Eventually.Limit)).Value.Text);
        Task<GetOrCreateResult<CacheValue>> waiting = AskAsync(_loads, 2, Soft with { FailSafeFor = TimeSpan.Zero }, key: 0);
        Assert.Equal("old", Expect.Stale(await AskAsync(_loads, 3, Soft, key: 0).WaitAsync(Eventually.Limit)).Value.Text);
        Assert.False(waiting.IsCompleted);
        Assert.Single(_started);
        _value.SetResult("new"u8.ToArray());
        Assert.Equal("new", Expect.Created(await load).Value.Text);
        Assert.Equal("new", Expect.Hit(await waiting.WaitAsync(Eventually.Limit)).Value.Text);
    }

    [Fact]
    public async Task Caller_without_a_permitted_stale_value_waits_for_another_process()
    {
        await ExpireAsync(1);
        Task<GetOrCreateResult<CacheValue>> load = AskAsync(_loads, 0, Patient);
        await Eventually.Holds(() => _started.Count == 1, "the factory runs");
        Task<GetOrCreateResult<CacheValue>> waiting = AskAsync(_waits, 1, Soft with { FailSafeFor = TimeSpan.Zero }, key: 0);
        // This caller asks later and may get the stale value. When it returns, the soft timeout of the first caller has passed as well.
        await using CacheClient third = _server.Connect(Configurations.Laptop.V1());
        await AskAsync(third, 2, Soft, key: 0).WaitAsync(Eventually.Limit);
        Assert.False(waiting.IsCompleted);
        _value.SetResult("new"u8.ToArray());
        Assert.Equal("new", Expect.Created(await load).Value.Text);
        Assert.Equal("new", Expect.Hit(await waiting.WaitAsync(Eventually.Limit)).Value.Text);
    }

    [Theory]
    [InlineData(BackgroundLoads.Most)]
    [InlineData(BackgroundLoads.Most + 1)]
    [InlineData(BackgroundLoads.Most * 10)]
    public async Task Loads_after_soft_timeouts_are_limited_to_32(int keys)
    {
        await ExpireAsync(keys);
        for (int key = 0; key < keys; key++)
        {
            Assert.Equal("old", Expect.Stale(await AskAsync(_loads, key, Soft).WaitAsync(Eventually.Limit)).Value.Text);
        }

        // Loads over the limit are cancelled, and their leases are released.
        await Eventually.Holds(() => _started.Values.Count(static token => !token.IsCancellationRequested) == BackgroundLoads.Most, "32 loads run");
        Assert.Equal(keys, _started.Count);
        for (int key = BackgroundLoads.Most; key < keys; key++)
        {
            Expect.Created(await _waits.Cache("cache").GetOrCreateAsync($"k{key}", static _ => Value("other"), Patient).AsTask().WaitAsync(Eventually.Limit));
        }

        _value.SetResult("new"u8.ToArray());
        for (int key = 0; key < BackgroundLoads.Most; key++)
        {
            while (await _waits.Cache("cache").GetAsync($"k{key}") is not { IsHit: true, Value.Text: "new" })
            {
                await Task.Delay(10);
            }
        }
    }

    [Fact]
    public async Task Refreshes_are_postponed_while_32_loads_continue_after_soft_timeouts()
    {
        await ExpireAsync(BackgroundLoads.Most + 1);
        for (int key = 0; key < BackgroundLoads.Most; key++)
        {
            Expect.Stale(await AskAsync(_loads, key, Soft).WaitAsync(Eventually.Limit));
        }

        const int Last = BackgroundLoads.Most;
        GetOrCreateOptions revalidates = Patient with { RevalidateFor = TimeSpan.FromHours(1) };
        Expect.Stale(await AskAsync(_loads, Last, revalidates).WaitAsync(Eventually.Limit));
        // The lease of the last key was released, so another process can load it.
        Expect.Created(await _waits.Cache("cache").GetOrCreateAsync($"k{Last}", static _ => Value("other"), Patient).AsTask().WaitAsync(Eventually.Limit));
        Assert.Equal(BackgroundLoads.Most, _started.Count);
    }

    private static ValueTask<byte[]> Value(string text) => ValueTask.FromResult(Encoding.UTF8.GetBytes(text));

    private async Task ExpireAsync(int keys)
    {
        for (int key = 0; key < keys; key++)
        {
            await _loads.Cache("cache").GetOrCreateAsync($"k{key}", static _ => Value("old"), Patient);
        }

        _serverTime.AdvanceMs(200);
    }

    // Requests a key with a factory that waits for the value. Records the factory's token under a number.
    private Task<GetOrCreateResult<CacheValue>> AskAsync(CacheClient client, int number, GetOrCreateOptions options, int? key = null) =>
        client.Cache("cache").GetOrCreateAsync(
            $"k{key ?? number}",
            async abandoned =>
            {
                _started[number] = abandoned;
                return await _value.Task.WaitAsync(abandoned);
            },
            options).AsTask();
}
