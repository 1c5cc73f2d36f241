using System.Diagnostics.CodeAnalysis;
using Larder.Client.Tests.Support;
using Larder.Wire;

namespace Larder.Client.Tests.Calls;

/// <summary>Tests the lifecycle of a call on a manual clock: the interactions of in-flight limit, deadline, cancellation and retry.</summary>
public sealed class CallTests
{
    private static readonly Configuration Narrow = Configurations.Laptop.V1() with
    {
        Transport = Transport.Unary,
        MaxInFlightUnary = 1,
        QueueLimit = 2,
        RequestTimeout = TimeSpan.FromSeconds(1),
    };

    [Fact]
    public async Task Call_returns_the_server_response()
    {
        await using TestClient test = new(Narrow);
        ValueTask<LookupResult<CacheValue>> call = test.Cache.GetAsync("k");
        Assert.False(call.IsCompleted);
        test.Transport.Answer(TestClient.Found("v"));
        Assert.Equal("v", Expect.Hit(await call).Text);
        AssertIdle(test);
    }

    [Fact]
    public async Task Call_over_the_concurrency_limit_waits_for_a_permit()
    {
        await using TestClient test = new(Narrow);
        ValueTask<LookupResult<CacheValue>> first = test.Cache.GetAsync("a");
        ValueTask<LookupResult<CacheValue>> second = test.Cache.GetAsync("b");
        Assert.Equal(1, test.Transport.Count);
        test.Transport.Answer(TestClient.Missed);
        Expect.Miss(await first);
        Assert.Equal(1, test.Transport.Count);
        test.Transport.Answer(TestClient.Missed);
        Expect.Miss(await second);
        AssertIdle(test);
    }

    [Fact]
    public async Task Call_over_the_queue_limit_fails_with_ClientOverloaded()
    {
        await using TestClient test = new(Narrow);
        ValueTask<LookupResult<CacheValue>>[] calls = [.. Enumerable.Range(0, 3).Select(index => test.Cache.GetAsync($"k{index}"))];
        CacheError error = Expect.Error(await Eventually.Within(test.Cache.GetAsync("one too many")));
        Assert.Equal(CacheErrorCode.ClientOverloaded, error.Code);
        Assert.Equal((0, 1, 1, 2), (error.Attempts, error.InFlight, error.InFlightLimit, error.Queued));
        await AnswerAll(test, calls);
        AssertIdle(test);
    }

    [Fact]
    public async Task Time_in_queue_counts_toward_the_deadline()
    {
        await using TestClient test = new(Narrow);
        ValueTask<LookupResult<CacheValue>> first = test.Cache.GetAsync("a");
        test.Time.Advance(TimeSpan.FromMilliseconds(600));
        ValueTask<LookupResult<CacheValue>> second = test.Cache.GetAsync("b");
        test.Time.Advance(TimeSpan.FromMilliseconds(401));
        CacheError late = Expect.Error(await Eventually.Within(first));
        Assert.Equal((CacheErrorCode.Timeout, 1), (late.Code, late.Attempts));
        Assert.Equal(1, test.Transport.Abandoned);

        // The second call has received the permit of the first call. The deadline of the second call is 600 ms after that of the first call.
        Assert.Equal(2, test.Transport.Count);
        ValueTask<LookupResult<CacheValue>> third = test.Cache.GetAsync("c");
        test.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(1, Expect.Error(await Eventually.Within(second)).Attempts);
        CacheError third1 = Expect.Error(await Eventually.Within(third));
        Assert.Equal(CacheErrorCode.Timeout, third1.Code);
        AssertIdle(test);
    }

    [Fact]
    public async Task N7_queued_calls_past_their_deadline_are_not_sent()
    {
        await using TestClient test = new(Narrow with { QueueLimit = 1_000 });
        ValueTask<LookupResult<CacheValue>>[] calls = [.. Enumerable.Range(0, 1_000).Select(index => test.Cache.GetAsync($"k{index}"))];
        test.Time.Advance(TimeSpan.FromSeconds(1));
        int sent = 0;
        foreach (ValueTask<LookupResult<CacheValue>> call in calls)
        {
            CacheError error = Expect.Error(await Eventually.Within(call));
            Assert.Equal(CacheErrorCode.Timeout, error.Code);
            sent += error.Attempts;
        }

        Assert.Equal((1, 1), (sent, test.Transport.Count));
        AssertIdle(test);
    }

    [Fact]
    public async Task Cancelling_a_queued_call_frees_its_slot_and_sends_nothing()
    {
        await using TestClient test = new(Narrow);
        using CancellationTokenSource cancellation = new();
        ValueTask<LookupResult<CacheValue>> first = test.Cache.GetAsync("a");
        ValueTask<LookupResult<CacheValue>> second = test.Cache.GetAsync("b", cancellation.Token);
        Assert.Equal(1, test.Client.Queued);
        await cancellation.CancelAsync();
        Assert.Equal(0, test.Client.Queued);
        Assert.Equal(CacheErrorCode.Cancelled, Expect.Error(await Eventually.Within(second)).Code);
        await AnswerAll(test, [first]);
        Assert.Equal(0, test.Transport.Count);
        AssertIdle(test);
    }

    [Fact]
    public async Task Cancelling_sent_call_frees_its_permit_and_discards_late_response()
    {
        await using TestClient test = new(Narrow);
        using CancellationTokenSource cancellation = new();
        ValueTask<LookupResult<CacheValue>> call = test.Cache.GetAsync("a", cancellation.Token);
        await cancellation.CancelAsync();
        Assert.Equal(CacheErrorCode.Cancelled, Expect.Error(await Eventually.Within(call)).Code);
        Assert.Equal(1, test.Transport.Abandoned);

        // The pooled object of the first call may represent the next call. The late response to the first call must not reach the next call.
        ValueTask<LookupResult<CacheValue>> next = test.Cache.GetAsync("b");
        Assert.False(test.Transport.Answer(TestClient.Found("of a")));
        Assert.False(next.IsCompleted);
        test.Transport.Answer(TestClient.Found("of b"));
        Assert.Equal("of b", Expect.Hit(await next).Text);
        AssertIdle(test);
    }

    [Fact]
    public async Task Call_with_a_cancelled_token_is_not_sent()
    {
        await using TestClient test = new(Narrow);
        Assert.Equal(CacheErrorCode.Cancelled, Expect.Error(await test.Cache.GetAsync("a", new CancellationToken(true))).Code);
        Assert.Equal(0, test.Transport.Count);
    }

    [Fact]
    public async Task Failed_call_keeps_its_permit_while_it_backs_off()
    {
        await using TestClient test = new(Narrow);
        ValueTask<LookupResult<CacheValue>> call = test.Cache.GetAsync("a");
        test.Transport.Fail(StatusCode.Unavailable);
        Assert.Equal((0, 1), (test.Transport.Count, test.Client.InFlight));
        test.Time.Advance(TimeSpan.FromMilliseconds(80));
        Assert.Equal(1, test.Transport.Count);
        test.Transport.Answer(TestClient.Found("v"));
        Expect.Hit(await call);
        AssertIdle(test);
    }

    [Fact]
    public async Task Call_returns_the_last_error_after_four_attempts()
    {
        await using TestClient test = new(Narrow);
        ValueTask<LookupResult<CacheValue>> call = test.Cache.GetAsync("a");
        CacheError error = Expect.Error(await Fails(test, call));
        Assert.Equal((CacheErrorCode.Unavailable, 4), (error.Code, error.Attempts));
        AssertIdle(test);
    }

    [Fact]
    public async Task Increment_that_may_have_run_is_not_retried()
    {
        await using TestClient test = new(Narrow);
        ValueTask<CacheResult<long>> call = test.Cache.IncrementAsync("n");
        test.Transport.Fail(StatusCode.Unavailable);
        Assert.Equal(CacheErrorCode.Unavailable, Expect.Error(await Eventually.Within(call)).Code);
        ValueTask<CacheResult<long>> refused = test.Cache.IncrementAsync("n");
        test.Transport.Fail(StatusCode.Unavailable, notProcessed: true);
        test.Time.Advance(TimeSpan.FromMilliseconds(80));
        Assert.Equal(1, test.Transport.Count);
        test.Time.Advance(TimeSpan.FromSeconds(2));
        await Eventually.Within(refused);
    }

    [Fact]
    public async Task Cancellation_during_back_off_ends_the_call()
    {
        await using TestClient test = new(Narrow);
        using CancellationTokenSource cancellation = new();
        ValueTask<LookupResult<CacheValue>> call = test.Cache.GetAsync("a", cancellation.Token);
        test.Transport.Fail(StatusCode.Unavailable);
        await cancellation.CancelAsync();
        Assert.Equal(CacheErrorCode.Cancelled, Expect.Error(await Eventually.Within(call)).Code);
        test.Time.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal(0, test.Transport.Count);
        AssertIdle(test);
    }

    [Fact]
    public async Task Cancelling_token_after_its_calls_ended_affects_no_other_call()
    {
        await using TestClient test = new(Narrow);
        using CancellationTokenSource cancellation = new();
        for (int call = 0; call < 10; call++)
        {
            ValueTask<LookupResult<CacheValue>> ended = test.Cache.GetAsync("a", cancellation.Token);
            test.Transport.Answer(TestClient.Missed);
            Expect.Miss(await ended);
        }

        // The same pooled objects represent the later calls.
        ValueTask<LookupResult<CacheValue>> later = test.Cache.GetAsync("b");
        await cancellation.CancelAsync();
        Assert.True(test.Transport.Answer(TestClient.Found("of b")));
        Assert.Equal("of b", Expect.Hit(await Eventually.Within(later)).Text);
        Assert.Equal(0, test.Transport.Abandoned);
        AssertIdle(test);
    }

    [Theory]
    [InlineData(20_000)]
    [InlineData(7)]
    public async Task Ten_thousand_calls_with_different_deadlines_share_one_timer(int cap)
    {
        await using TestClient test = new(Narrow with { MaxInFlightUnary = cap, QueueLimit = 20_000, RequestTimeout = TimeSpan.FromSeconds(10) });
        Task<LookupResult<CacheValue>>[] calls =
        [
            .. Enumerable.Range(1, 10_000).Select(ms => test.Cache.WithTimeout(TimeSpan.FromMilliseconds(ms)).GetAsync("k").AsTask()),
        ];
        Assert.Equal(1, test.Time.Timers);
        test.Time.Advance(TimeSpan.FromSeconds(10));
        foreach (LookupResult<CacheValue> answer in await Task.WhenAll(calls).WaitAsync(Eventually.Limit))
        {
            Assert.Equal(CacheErrorCode.Timeout, Expect.Error(answer).Code);
        }

        AssertIdle(test);
        await test.DisposeAsync();
        Assert.Equal(0, test.Time.Timers);
    }

    [Fact]
    public async Task Malformed_response_fails_its_call_with_an_internal_error()
    {
        await using TestClient test = new(Narrow);
        ValueTask<LookupResult<CacheValue>> call = test.Cache.GetAsync("a");
        test.Transport.Answer([0xFF]);
        Assert.Equal(CacheErrorCode.Internal, Expect.Error(await call).Code);
        AssertIdle(test);
    }

    [Fact]
    public async Task Disposing_the_client_cancels_sent_and_queued_calls()
    {
        TestClient test = new(Narrow);
        ValueTask<LookupResult<CacheValue>> sent = test.Cache.GetAsync("a");
        ValueTask<LookupResult<CacheValue>> queued = test.Cache.GetAsync("b");
        await test.DisposeAsync();
        Assert.Equal(CacheErrorCode.Cancelled, Expect.Error(await Eventually.Within(sent)).Code);
        Assert.Equal(CacheErrorCode.Cancelled, Expect.Error(await Eventually.Within(queued)).Code);
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await test.Cache.GetAsync("c"));
        AssertIdle(test);
    }

    [Theory]
    [InlineData("", "k")]
    [InlineData("  ", "k")]
    [InlineData("cache", "")]
    [InlineData("café", "k")]
    public async Task Invalid_cache_or_key_is_rejected_before_sending(string cache, string key)
    {
        await using TestClient test = new(Narrow);
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await test.Client.Cache(cache).GetAsync(key)).Code);
        Assert.Equal(0, test.Transport.Count);
    }

    [Fact]
    public async Task Key_with_unpaired_surrogate_is_rejected_before_sending()
    {
        await using TestClient test = new(Narrow);
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await Eventually.Within(test.Cache.GetAsync("\ud800"))).Code);
        Assert.Equal(0, test.Transport.Count);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(31_536_000_001)]
    public async Task Ttl_out_of_range_is_rejected_before_sending(long milliseconds)
    {
        await using TestClient test = new(Narrow);
        ValueTask<CacheResult> set = test.Cache.SetAsync("k", "v", TimeSpan.FromMilliseconds(milliseconds));
        Assert.Equal(0, test.Transport.Count);
        Assert.Equal(CacheErrorCode.InvalidArgument, Expect.Error(await Eventually.Within(set)).Code);
    }

    [Fact]
    public async Task N7_ten_thousand_callers_are_served_in_order_with_bounded_memory()
    {
        await using TestClient test = new(Narrow with { MaxInFlightUnary = 50, QueueLimit = 20_000, RequestTimeout = TimeSpan.FromMinutes(1) });
        List<int> order = [];
        Task[] callers = [.. Enumerable.Range(0, 10_000).Select(index => Caller(index))];
        Assert.Equal((50, 9_950), (test.Client.InFlight, test.Client.Queued));
        while (test.Transport.Count > 0)
        {
            Assert.InRange(test.Transport.Count, 1, 50);
            test.Transport.Answer(TestClient.Missed);
        }

        await Task.WhenAll(callers).WaitAsync(Eventually.Limit);
        Assert.Equal(Enumerable.Range(0, 10_000), order);
        AssertIdle(test);

        async Task Caller(int index)
        {
            // The continuations run on the thread that delivers the responses, in order.
            Expect.Miss(await test.Cache.GetAsync($"k{index}").ConfigureAwait(false));
            order.Add(index);
        }
    }

    [Fact]
    public async Task Set_call_allocates_nothing_after_warm_up()
    {
        await using TestClient test = new(Narrow with { MaxInFlightUnary = 10 });
        for (int warm = 0; warm < 100; warm++)
        {
            Round(test);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int call = 0; call < 1_000; call++)
        {
            Round(test);
        }

        // All responses to sets are one shared object, so a call allocates nothing.
        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / 1_000, 0, 1);
    }

    [SuppressMessage("Reliability", "CA2012", Justification = "The test asserts that the call has completed.")]
    private static void Round(TestClient test)
    {
        ValueTask<CacheResult> call = test.Cache.SetAsync("k", "v");
        test.Transport.Answer(TestClient.Stored);
        Assert.True(call.IsCompletedSuccessfully);
        call.GetAwaiter().GetResult();
    }

    // Fails every attempt until the call stops retrying.
    private static async Task<T> Fails<T>(TestClient test, ValueTask<T> call)
    {
        Task<T> task = call.AsTask();
        for (int step = 0; step < 1_000 && !task.IsCompleted; step++)
        {
            if (test.Transport.Count > 0)
            {
                test.Transport.Fail(StatusCode.Unavailable);
            }

            test.Time.Advance(TimeSpan.FromMilliseconds(1));
        }

        return await task.WaitAsync(Eventually.Limit);
    }

    private static async Task AnswerAll(TestClient test, ValueTask<LookupResult<CacheValue>>[] calls)
    {
        foreach (ValueTask<LookupResult<CacheValue>> call in calls)
        {
            test.Transport.Answer(TestClient.Missed);
            Expect.Miss(await Eventually.Within(call));
        }
    }

    private static void AssertIdle(TestClient test)
    {
        test.Client.Limiter.AssertValid();
        Assert.Equal((0, 0), (test.Client.InFlight, test.Client.Queued));
    }
}
