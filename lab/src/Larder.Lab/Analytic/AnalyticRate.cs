using Larder.Agent;

namespace Larder.Lab.Known;

/// <summary>
/// Computes the highest rate at which a server with known parameters keeps a percentile below a limit, if calls arrive at random intervals (Poisson). Simulates
/// many calls without a clock and finds the rate by bisection. Every rate uses the same random numbers, so that the latency increases with the rate. Times are
/// in seconds.
/// </summary>
internal static class AnalyticRate
{
    /// <summary>The number of simulated calls for each rate. Of one million calls, 10,000 are above p99.</summary>
    private const int Calls = 1_000_000;

    /// <summary>The bisection ends when the ratio of the upper rate to the lower rate is at most this value.</summary>
    private const double Near = 1.001;

    /// <summary>Returns the highest rate that meets the limit. Returns null if not even a hundredth of the capacity meets the limit.</summary>
    public static double? Highest(int parallelism, double service, double quantile, double limit)
    {
        double low = parallelism / service / 100, high = parallelism / service;
        if (Latency(parallelism, service, low, quantile) > limit)
        {
            return null;
        }

        while (high / low > Near)
        {
            double middle = Math.Sqrt(low * high);
            (low, high) = Latency(parallelism, service, middle, quantile) <= limit ? (middle, high) : (low, middle);
        }

        return low;
    }

    /// <summary>Returns the latency percentile at a rate.</summary>
    public static double Latency(int parallelism, double service, double rate, double quantile, int calls = Calls)
    {
        var schedule = new AnalyticSchedule(parallelism, service);
        var histogram = new LoadHistogram();
        var random = new LoadRandom(1, 0);
        double due = 0;
        for (int i = 0; i < calls; i++)
        {
            due += -Math.Log(1 - random.Unit()) / rate;
            histogram.Record((long)((schedule.Answer(due) - due) * 1e9));
        }

        return histogram.QuantileUs(quantile) / 1e6;
    }
}
