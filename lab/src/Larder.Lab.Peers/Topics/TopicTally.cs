using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Agent;

namespace Larder.Lab.Peers.Topics;

/// <summary>Counts the deliveries of one time interval and their latencies. Thread-safe.</summary>
internal sealed class TopicTally(long from, long until)
{
    private readonly long[] _counts = new long[LoadHistogram.IndexCount];
    private long _within;

    /// <summary>Counts a delivery at <paramref name="now"/> of a message that was due at <paramref name="due"/>.</summary>
    public void Add(long due, long now)
    {
        if (now >= from && now < until)
        {
            Interlocked.Increment(ref _within);
        }

        if (due >= from && due < until)
        {
            long ns = (long)(Stopwatch.GetElapsedTime(due, now).TotalMicroseconds * 1_000);
            Interlocked.Increment(ref _counts[LoadHistogram.IndexOf(ns)]);
        }
    }

    /// <summary>Returns the counts and latencies for the response.</summary>
    public JsonObject Line()
    {
        double seconds = Stopwatch.GetElapsedTime(from, until).TotalSeconds;
        return new JsonObject
        {
            ["result"] = "success",
            ["seconds"] = seconds,
            ["deliveries"] = _counts.Sum(),
            ["deliveriesPerSecond"] = _within / seconds,
            ["p50Us"] = QuantileUs(_counts, 0.5),
            ["p99Us"] = QuantileUs(_counts, 0.99),
            ["p999Us"] = QuantileUs(_counts, 0.999),
        };
    }

    /// <summary>
    /// Returns a latency quantile, as defined in conformance/AGENT.md: the first value at which the running count reaches the share <paramref name="quantile"/>
    /// of the total. Returns 0 if nothing was counted.
    /// </summary>
    public static double QuantileUs(long[] counts, double quantile)
    {
        long wanted = (long)Math.Ceiling(quantile * counts.Sum());
        long running = 0;
        for (int index = 0; index < counts.Length && wanted > 0; index++)
        {
            running += counts[index];
            if (running >= wanted)
            {
                return LoadHistogram.ValueOf(index) / 1_000.0;
            }
        }

        return 0;
    }
}
