using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Metrics;
using Larder.Client.Tests.Support;
using Larder.Wire;

namespace Larder.Client.Tests.Adaptive;

/// <summary>Tests the adaptive limit in a client: when the limit changes, and where the client reports it.</summary>
public sealed class AdaptiveClientTests
{
    private static readonly Configuration Adaptive = Configurations.Laptop.V1() with
    {
        Transport = Transport.Unary,
        MaxInFlightUnary = 30,
        MaxRetries = 0,
        AdaptiveTarget = TimeSpan.FromMilliseconds(20),
    };

    [Fact]
    public async Task Concurrency_limit_is_fixed_without_an_adaptive_target()
    {
        await using TestClient test = new(Adaptive with { AdaptiveTarget = null });
        await Rounds(test, 50, 40, TimeSpan.FromMilliseconds(100));
        Assert.Equal(30, test.Client.InFlightLimit);
        Assert.False(test.Client.IsTargetOutOfReach);
    }

    [Fact]
    public async Task Fast_responses_raise_limit_up_to_the_configured_maximum()
    {
        await using TestClient test = new(Adaptive);
        Assert.Equal(16, test.Client.InFlightLimit);
        await Rounds(test, 50, 130, TimeSpan.FromMilliseconds(10));
        Assert.Equal(24, test.Client.InFlightLimit);
        await Rounds(test, 50, 200, TimeSpan.FromMilliseconds(10));
        Assert.Equal(30, test.Client.InFlightLimit);
    }

    [Fact]
    public async Task Slow_responses_reduce_limit_and_overload_error_contains_new_limit()
    {
        await using TestClient test = new(Adaptive with { QueueLimit = 34 });
        // A fast round establishes the server's best latency. The slower rounds that follow indicate that calls queue at the server.
        await Rounds(test, 50, 1, TimeSpan.FromMilliseconds(10));
        await Rounds(test, 50, 3, TimeSpan.FromMilliseconds(40));
        Assert.Equal(12, test.Client.InFlightLimit);
        List<ValueTask<LookupResult<CacheValue>>> calls = [.. Enumerable.Range(0, 46).Select(_ => test.Cache.GetAsync("k"))];
        CacheError refused = Expect.Error(await Eventually.Within(test.Cache.GetAsync("k")));
        Assert.Equal((CacheErrorCode.ClientOverloaded, 12, 12), (refused.Code, refused.InFlight, refused.InFlightLimit));
        Assert.Contains("the concurrency limit of 12", refused.Message, StringComparison.Ordinal);
        await Drain(test, calls);
    }

    [Fact]
    public async Task Fast_errors_do_not_raise_limit()
    {
        await using TestClient test = new(Adaptive);
        for (int round = 0; round < 300; round++)
        {
            List<ValueTask<LookupResult<CacheValue>>> calls = [.. Enumerable.Range(0, 20).Select(_ => test.Cache.GetAsync("k"))];
            test.Time.Advance(TimeSpan.FromMilliseconds(1));
            while (test.Transport.Count > 0)
            {
                test.Transport.Fail(StatusCode.Unavailable);
            }

            foreach (ValueTask<LookupResult<CacheValue>> call in calls)
            {
                Expect.Error(await Eventually.Within(call));
            }
        }

        Assert.Equal(16, test.Client.InFlightLimit);
    }

    [Fact]
    public async Task Client_and_gauges_report_an_unreachable_target()
    {
        await using TestClient test = new(Adaptive);
        // Every round takes the same time regardless of the limit. So the server is slow, but calls do not queue.
        await Rounds(test, 50, 4, TimeSpan.FromMilliseconds(100));
        Assert.True(test.Client.IsTargetOutOfReach);
        Assert.Equal(16, test.Client.InFlightLimit);
        Dictionary<string, int> gauges = [];
        using MeterListener listener = new();
        listener.InstrumentPublished = (instrument, heard) => heard.EnableMeasurementEvents(instrument);
        // The listener also receives the measurements of clients in other tests. The maximum is 1 if the target of this client is unreachable.
        listener.SetMeasurementEventCallback<int>(
            (instrument, value, _, _) => gauges[instrument.Name] = Math.Max(value, gauges.GetValueOrDefault(instrument.Name)));
        listener.Start();
        listener.RecordObservableInstruments();
        Assert.Equal(1, gauges["cache.client.target.out_of_reach"]);
        await Rounds(test, 50, 140, TimeSpan.FromMilliseconds(10));
        Assert.False(test.Client.IsTargetOutOfReach);
    }

    /// <summary>
    /// Runs rounds with a constant number of callers. In each round, the clock advances by <paramref name="takes"/>. Then all calls in flight receive a
    /// response at the same time.
    /// </summary>
    [SuppressMessage("Reliability", "CA2012", Justification = "Each is consumed once, when it has completed.")]
    private static async Task Rounds(TestClient test, int callers, int rounds, TimeSpan takes)
    {
        List<ValueTask<LookupResult<CacheValue>>> calls = [];
        for (int round = 0; round < rounds; round++)
        {
            while (calls.Count < callers)
            {
                calls.Add(test.Cache.GetAsync("k"));
            }

            test.Time.Advance(takes);
            for (int sent = test.Transport.Count; sent > 0; sent--)
            {
                test.Transport.Answer(TestClient.Missed);
            }

            for (int i = calls.Count - 1; i >= 0; i--)
            {
                if (calls[i].IsCompleted)
                {
                    Expect.Miss(await calls[i]);
                    calls.RemoveAt(i);
                }
            }
        }

        await Drain(test, calls);
    }

    // The clock does not advance here, so the remaining calls do not affect the measurements.
    private static async Task Drain(TestClient test, List<ValueTask<LookupResult<CacheValue>>> calls)
    {
        while (test.Transport.Count > 0)
        {
            test.Transport.Answer(TestClient.Missed);
        }

        foreach (ValueTask<LookupResult<CacheValue>> call in calls)
        {
            Expect.Miss(await Eventually.Within(call));
        }

        test.Client.Limiter.AssertValid();
    }
}
