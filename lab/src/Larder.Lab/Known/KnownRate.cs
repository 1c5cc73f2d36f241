using Larder.Agent;

namespace Larder.Lab.Known;

/// <summary>
/// The highest rate of calls that arrive at random intervals (Poisson) for which a known server keeps a percentile below a limit: many such calls are played
/// through its schedule, without a clock, and the rate is halved in on. The same random numbers serve every rate, so that latency rises with it.
/// Times in seconds.
/// </summary>
internal static class KnownRate
{
    /// <summary>Calls played for each rate: of a million, 10,000 lie above p99.</summary>
    private const int Calls = 1_000_000;

    /// <summary>Ratio at which the rates are near enough.</summary>
    private const double Near = 1.001;

    /// <summary>The rate; null where not even a hundredth of the capacity keeps it.</summary>
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

    /// <summary>The percentile at a rate.</summary>
    public static double Latency(int parallelism, double service, double rate, double quantile, int calls = Calls)
    {
        var schedule = new KnownSchedule(parallelism, service);
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
