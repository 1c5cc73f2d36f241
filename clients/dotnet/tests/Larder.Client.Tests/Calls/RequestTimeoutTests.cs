using System.Diagnostics.CodeAnalysis;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Calls;

/// <summary>Tests a cache handle with its own timeout. All other settings are those of the client.</summary>
public sealed class RequestTimeoutTests
{
    private static readonly Configuration OneSecond =
        Configurations.Laptop.V1() with { Transport = Transport.Unary, MaxInFlightUnary = 2, QueueLimit = 1, RequestTimeout = TimeSpan.FromSeconds(1) };

    [Fact]
    public async Task DEADLINE_8_call_times_out_after_the_timeout_of_its_handle()
    {
        await using TestClient test = new(OneSecond);
        ValueTask<LookupResult<CacheValue>> hasty = test.Cache.WithTimeout(TimeSpan.FromMilliseconds(200)).GetAsync("a");
        ValueTask<LookupResult<CacheValue>> usual = test.Cache.GetAsync("b");
        test.Time.Advance(TimeSpan.FromMilliseconds(200));
        AssertTimedOut("200 ms", await Eventually.Within(hasty));
        Assert.False(usual.IsCompleted);
        test.Time.Advance(TimeSpan.FromMilliseconds(800));
        AssertTimedOut("1000 ms", await Eventually.Within(usual));
        Assert.Equal((0, 0), (test.Client.InFlight, test.Client.Queued));
    }

    [Fact]
    public async Task DEADLINE_8_handle_timeout_may_exceed_configured_timeout()
    {
        await using TestClient test = new(OneSecond);
        ValueTask<CacheResult<IReadOnlyList<LookupResult<CacheValue>>>> patient = test.Cache.WithTimeout(TimeSpan.FromSeconds(3)).GetBatchAsync(["a"]);
        test.Time.Advance(TimeSpan.FromMilliseconds(2_999));
        Assert.False(patient.IsCompleted);
        test.Time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Contains("3000 ms", Expect.Error(await Eventually.Within(patient)).Message);
    }

    [Fact]
    public async Task WithTimeout_handle_shares_limits_and_connections_with_client()
    {
        await using TestClient test = new(OneSecond);
        Cache cache = test.Cache;
        Cache patient = cache.WithTimeout(TimeSpan.FromSeconds(10)).WithTimeout(TimeSpan.FromSeconds(2));
        ValueTask<LookupResult<CacheValue>> usual = cache.GetAsync("a");
        ValueTask<LookupResult<CacheValue>>[] others = [.. Enumerable.Range(0, 2).Select(index => patient.GetAsync($"k{index}"))];
        Assert.Equal((2, 1, 2), (test.Client.InFlight, test.Client.Queued, test.Transport.Count));
        Assert.Equal(CacheErrorCode.ClientOverloaded, Expect.Error(await Eventually.Within(cache.GetAsync("d"))).Code);
        Assert.Equal(("cache", TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(1)), (patient.Name, patient.Timeout, cache.Timeout));
        foreach (ValueTask<LookupResult<CacheValue>> call in (ValueTask<LookupResult<CacheValue>>[])[usual, .. others])
        {
            test.Transport.Answer(TestClient.Missed);
            Expect.Miss(await Eventually.Within(call));
        }
    }

    [Fact]
    public async Task Cache_calls_throw_after_client_is_disposed()
    {
        TestClient test = new(OneSecond);
        Cache cache = test.Cache.WithTimeout(TimeSpan.FromSeconds(2));
        ValueTask<LookupResult<CacheValue>> call = cache.GetAsync("a");
        test.Transport.Answer(TestClient.Missed);
        Expect.Miss(await Eventually.Within(call));
        await test.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await cache.GetAsync("b"));
    }

    [Fact]
    public async Task DEADLINE_8_WithTimeout_accepts_positive_timeouts_up_to_one_hour()
    {
        await using TestClient test = new(OneSecond);
        TimeSpan hour = TimeSpan.FromHours(1);
        TimeSpan tick = new(1);
        Assert.All([tick, hour], time => Assert.Equal(time, test.Cache.WithTimeout(time).Timeout));
        Assert.All(
            [TimeSpan.Zero, -tick, -hour, hour + tick, 10 * hour, Timeout.InfiniteTimeSpan, TimeSpan.MaxValue],
            time => Assert.Throws<ArgumentOutOfRangeException>("timeout", () => test.Cache.WithTimeout(time)));
    }

    [Fact]
    public async Task Set_call_through_WithTimeout_handle_allocates_nothing_after_warm_up()
    {
        await using TestClient test = new(OneSecond);
        Cache cache = test.Cache.WithTimeout(TimeSpan.FromSeconds(2));
        long before = 0;
        for (int round = 0; round < 1_100; round++)
        {
            // The first hundred rounds create the pooled objects, so they are not measured.
            before = round == 100 ? GC.GetAllocatedBytesForCurrentThread() : before;
            Round(test, cache);
        }

        // All responses to sets are one shared object, so a call allocates nothing.
        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / 1_000, 0, 1);
    }

    [SuppressMessage("Reliability", "CA2012", Justification = "The test asserts that the call has completed.")]
    private static void Round(TestClient test, Cache cache)
    {
        ValueTask<CacheResult> call = cache.SetAsync("k", "v");
        test.Transport.Answer(TestClient.Stored);
        Assert.True(call.IsCompletedSuccessfully);
        call.GetAwaiter().GetResult();
    }

    private static void AssertTimedOut(string deadline, LookupResult<CacheValue> response)
    {
        CacheError error = Expect.Error(response);
        Assert.Equal(CacheErrorCode.Timeout, error.Code);
        Assert.Contains(deadline, error.Message);
    }
}
