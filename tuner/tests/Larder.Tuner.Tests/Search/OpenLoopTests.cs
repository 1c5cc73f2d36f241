using Larder.Agent;

namespace Larder.Tuner.Tests.Search;

public sealed class OpenLoopTests
{
    /// <summary>
    /// The maximum number of calls that the server processes concurrently. With a service time of 10 ms, it completes at most 800 calls per second. The server
    /// stalls for 1 s in every 20 s.
    /// </summary>
    private const int Parallelism = 8;
    private const double Service = 0.010;
    private const double StallEvery = 20;
    private const double StallFor = 1.0;
    private const double Seconds = 400;

    [Theory]
    [InlineData(0.50)]
    [InlineData(0.70)]
    [InlineData(0.85)]
    public void Open_loop_p999_matches_computed_latency(double load)
    {
        LoadHistogram histogram = Stalling().OpenLoop(load * Parallelism / Service, Seconds);
        double computed = new VirtualServer(Parallelism, Service, StallEvery, StallFor).Schedule.OpenLoopLatency(load, 0.999);
        Assert.InRange(histogram.QuantileUs(0.999) / 1e6, computed * 0.9, computed * 1.1);
    }

    [Fact]
    public void Closed_loop_hides_stall_that_open_loop_shows()
    {
        // 8 callers would saturate the server. The 4 callers make 400 calls per second until the stall. During the stall, each caller waits for one call and
        // makes no others, so only 4 calls observe the stall.
        (double _, LoadHistogram? closed) = Stalling().ClosedLoop(Parallelism / 2, Seconds);
        LoadHistogram open = Stalling().OpenLoop(0.5 * Parallelism / Service, Seconds);
        Assert.True(closed.QuantileUs(0.999) < 1.1 * Service * 1e6, "the naive loop reports a server without a stall");
        Assert.True(open.QuantileUs(0.999) > 90 * Service * 1e6, "a user would have felt it");
    }

    private static VirtualServer Stalling() => new(Parallelism, Service, StallEvery, StallFor);
}
