using Larder.Report.Runs;
using Larder.Tuner.Search;

namespace Larder.Tuner.Tests.Search;

public sealed class KneeSearchTests
{
    private static readonly int[] s_ladder = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 5000];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(7)]
    [InlineData(20)]
    [InlineData(100)]
    [InlineData(900)]
    public void Knee_of_simulated_server_is_found_within_one_rung(int parallelism)
    {
        // The knee is at the server's parallelism. If there are more concurrent calls than this, the additional calls only wait.
        KneeSearch search = Run(new KneeSearch(null), new VirtualServer(parallelism, service: 0.010));
        int rung = Array.FindIndex(s_ladder, rung => rung >= parallelism);
        Assert.InRange(Array.IndexOf(s_ladder, search.Knee!.Value.InFlight), rung - 1, rung + 1);
    }

    [Fact]
    public void Knee_stays_below_latency_target_between_two_rungs()
    {
        // The server processes 10 calls of 10 ms each concurrently. With n callers, where n is at least 10, a call takes n ms. A target of 25 ms allows 25
        // callers. The nearest rungs are 21 and 34.
        KneeSearch search = Run(new KneeSearch(targetUs: 25_000), new VirtualServer(10, service: 0.010));
        Assert.InRange(search.Knee!.Value.InFlight, 10, 21);
        Assert.Contains(search.Points, point => point.LatencyUs > 25_000);
    }

    [Fact]
    public void Unreachable_target_has_no_knee() =>
        Assert.Null(Run(new KneeSearch(targetUs: 5_000), new VirtualServer(10, service: 0.010)).Knee);

    [Fact]
    public void Measurement_passes_alternate_between_ascending_and_descending_rungs()
    {
        var search = new KneeSearch(null, passes: 3);
        var order = new List<int>();
        while (search.Next is { } rung)
        {
            order.Add(rung);
            search.Add(Math.Min(rung, 3) * 100, 1);
        }

        Assert.Equal([1, 2, 3, 5, 8, 13, 13, 8, 5, 3, 2, 1, 1, 2, 3, 5, 8, 13], order);
        Assert.Equal(3, search.Knee!.Value.InFlight);
    }

    [Fact]
    public void Estimate_of_remaining_measurements_is_never_too_low()
    {
        var search = new KneeSearch(null, passes: 3);
        var lefts = new List<int>();
        while (search.Next is { } rung)
        {
            lefts.Add(search.Left);
            search.Add(Math.Min(rung, 30) * 100, 1);
        }

        Assert.Equal(0, search.Left);
        Assert.All(lefts.Select((left, done) => (left, done)), pair => Assert.True(pair.left >= lefts.Count - pair.done));
        // After the climb, the number of remaining measurements is exact.
        Assert.All(lefts.Select((left, done) => (left, done)).Skip(lefts.Count / 3), pair => Assert.Equal(lefts.Count - pair.done, pair.left));
    }

    [Fact]
    public void Single_bad_measurement_does_not_move_the_knee()
    {
        var search = new KneeSearch(null, passes: 3);
        for (int measurement = 0; search.Next is { } rung; measurement++)
        {
            search.Add(Math.Min(rung, 8) * (measurement == 3 ? 50 : 100), 1);
        }

        Assert.Equal(8, search.Knee!.Value.InFlight);
    }

    [Fact]
    public void Search_ends_at_maximum_concurrency()
    {
        var search = new KneeSearch(null, passes: 1, most: 10);
        while (search.Next is { } rung)
        {
            Assert.InRange(rung, 1, 10);
            search.Add(rung, 1);
        }

        Assert.Equal(10, search.Knee!.Value.InFlight);
    }

    private static KneeSearch Run(KneeSearch search, VirtualServer server)
    {
        while (search.Next is { } rung)
        {
            (double requestsPerSecond, Agent.LoadHistogram? latencies) = server.ClosedLoop(rung, seconds: 5);
            search.Add(requestsPerSecond, latencies.QuantileUs(0.999));
        }

        return search;
    }

    [Fact]
    public void ShortenSearch_ends_at_first_rung_without_improvement_and_skips_repeats()
    {
        var search = new KneeSearch(targetUs: 1_000_000, passes: 3);
        search.ShortenSearch();
        var rungs = new List<int>();
        while (search.Next is { } rung)
        {
            Assert.Equal(1, search.Left);
            rungs.Add(rung);
            search.Add(Math.Min(rung, 5) * 100, 10);
        }

        Assert.Equal([1, 2, 3, 5, 8], rungs);
        Assert.Equal(0, search.Left);
        var repeating = new KneeSearch(targetUs: null, passes: 3, most: 2);
        repeating.Add(100, 10);
        repeating.Add(200, 10);
        Assert.NotNull(repeating.Next);
        repeating.ShortenSearch();
        Assert.Null(repeating.Next);
    }
}
