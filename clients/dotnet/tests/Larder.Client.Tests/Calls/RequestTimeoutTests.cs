using System.Diagnostics.CodeAnalysis;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Calls;

/// <summary>A client's view with a deadline of its own: all else is the original's.</summary>
public sealed class RequestTimeoutTests
{
    private static readonly Configuration OneSecond =
        Configurations.Laptop.V1() with { Transport = Transport.Unary, MaxInFlightUnary = 2, QueueLimit = 1, RequestTimeout = TimeSpan.FromSeconds(1) };

    [Fact]
    public async Task DEADLINE_8_a_call_of_a_view_ends_at_the_views_deadline_and_the_clients_at_the_clients()
    {
        await using TestClient test = new(OneSecond);
        ValueTask<GetResponse> hasty = test.Client.WithRequestTimeout(TimeSpan.FromMilliseconds(200)).GetAsync("cache", "a");
        ValueTask<GetResponse> usual = test.Client.GetAsync("cache", "b");
        test.Time.Advance(TimeSpan.FromMilliseconds(200));
        AssertTimedOut("200 ms", await Eventually.Within(hasty));
        Assert.False(usual.IsCompleted);
        test.Time.Advance(TimeSpan.FromMilliseconds(800));
        AssertTimedOut("1000 ms", await Eventually.Within(usual));
        Assert.Equal((0, 0), (test.Client.InFlight, test.Client.Queued));
    }

    [Fact]
    public async Task DEADLINE_8_a_views_deadline_may_be_longer_than_the_configurations()
    {
        await using TestClient test = new(OneSecond);
        ValueTask<GetBatchResponse> patient = test.Client.Cache("cache").WithRequestTimeout(TimeSpan.FromSeconds(3)).GetBatchAsync(["a"]);
        test.Time.Advance(TimeSpan.FromMilliseconds(2_999));
        Assert.False(patient.IsCompleted);
        test.Time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Contains("3000 ms", Assert.IsType<GetBatchResponse.Error>(await Eventually.Within(patient)).Message);
    }

    [Fact]
    public async Task A_view_shares_the_cap_the_queue_and_the_connections()
    {
        await using TestClient test = new(OneSecond);
        CacheClient view = test.Client.WithRequestTimeout(TimeSpan.FromSeconds(10)).WithRequestTimeout(TimeSpan.FromSeconds(2));
        ValueTask<GetResponse> ofClient = test.Client.GetAsync("cache", "a");
        ValueTask<GetResponse>[] ofView = [.. Enumerable.Range(0, 2).Select(index => view.GetAsync("cache", $"k{index}"))];
        Assert.Equal((2, 1, 2), (test.Client.InFlight, test.Client.Queued, test.Transport.Count));
        Assert.Equal((2, 1), (view.InFlight, view.Queued));
        Assert.Equal(CacheErrorCode.ClientOverloaded, Assert.IsType<GetResponse.Error>(await Eventually.Within(test.Client.GetAsync("cache", "d"))).Code);
        Assert.Equal(test.Client.Configuration with { RequestTimeout = TimeSpan.FromSeconds(2) }, view.Configuration);
        Assert.Equal(test.Client.DefaultTtl, view.DefaultTtl);
        foreach (ValueTask<GetResponse> call in (ValueTask<GetResponse>[])[ofClient, .. ofView])
        {
            test.Transport.Answer(TestClient.Missed);
            Assert.IsType<GetResponse.Miss>(await Eventually.Within(call));
        }
    }

    [Fact]
    public async Task Disposing_of_a_view_closes_nothing_and_disposing_of_the_client_closes_its_views()
    {
        TestClient test = new(OneSecond);
        CacheClient view = test.Client.WithRequestTimeout(TimeSpan.FromSeconds(2));
        await view.DisposeAsync();
        ValueTask<GetResponse> call = view.GetAsync("cache", "a");
        test.Transport.Answer(TestClient.Missed);
        Assert.IsType<GetResponse.Miss>(await Eventually.Within(call));
        await test.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await view.GetAsync("cache", "b"));
    }

    [Fact]
    public async Task DEADLINE_8_a_calls_deadline_is_over_nothing_and_at_most_an_hour()
    {
        await using TestClient test = new(OneSecond);
        TimeSpan hour = TimeSpan.FromHours(1);
        TimeSpan tick = new(1);
        Assert.All([tick, hour], time => Assert.Equal(time, test.Client.WithRequestTimeout(time).Configuration.RequestTimeout));
        Assert.All(
            [TimeSpan.Zero, -tick, -hour, hour + tick, 10 * hour, Timeout.InfiniteTimeSpan, TimeSpan.MaxValue],
            time => Assert.Throws<ArgumentOutOfRangeException>("timeout", () => test.Client.Cache("cache").WithRequestTimeout(time)));
    }

    [Fact]
    public async Task A_steady_call_of_a_view_that_is_kept_allocates_its_result_alone()
    {
        await using TestClient test = new(OneSecond);
        CacheClient view = test.Client.WithRequestTimeout(TimeSpan.FromSeconds(2));
        long before = 0;
        for (int round = 0; round < 1_100; round++)
        {
            // The first hundred make what is kept.
            before = round == 100 ? GC.GetAllocatedBytesForCurrentThread() : before;
            Round(test, view);
        }

        // Sets are answered by one shared object.
        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / 1_000, 0, 1);
    }

    [SuppressMessage("Reliability", "CA2012", Justification = "The test asserts that the call has completed.")]
    private static void Round(TestClient test, CacheClient view)
    {
        ValueTask<SetResponse> call = view.SetAsync("cache", "k", "v");
        test.Transport.Answer(TestClient.Stored);
        Assert.True(call.IsCompletedSuccessfully);
        call.GetAwaiter().GetResult();
    }

    private static void AssertTimedOut(string deadline, GetResponse response)
    {
        GetResponse.Error error = Assert.IsType<GetResponse.Error>(response);
        Assert.Equal(CacheErrorCode.Timeout, error.Code);
        Assert.Contains(deadline, error.Message);
    }
}
