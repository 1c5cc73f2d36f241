using System.Globalization;

namespace Larder.Cli;

/// <summary>Formats the difference between two readings of a server's statistics as one line.</summary>
internal static class StatLine
{
    public static string Heading =>
        $"{"calls/s",12} {"failed/s",10} {"hits",8} {"p50",10} {"p99",10} {"entries",12} {"memory",10} {"evicted/s",10} {"cpu",7} {"conns",6}";

    public static string Of(StatsReading before, StatsReading now)
    {
        // A restarted server counts from 0 again, so its current counts are the difference.
        StatsReading from = now.UptimeSeconds < before.UptimeSeconds ? Nothing(before) : before;
        double seconds = Math.Max(now.UptimeSeconds - from.UptimeSeconds, 0.001);
        double hits = now.Total.Hits - from.Total.Hits;
        SortedDictionary<double, long> window = Window(from, now);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{Figure.Whole((Calls(now) - Calls(from)) / seconds),12} {Figure.Whole((Failures(now) - Failures(from)) / seconds),10} ")
            + $"{Figure.Share(hits, hits + now.Total.Misses - from.Total.Misses),8} {Quantile(window, 0.5),10} {Quantile(window, 0.99),10} "
            + $"{Figure.Whole(now.Total.Entries),12} {Figure.Bytes(now.UsedBytes),10} {Figure.Whole((now.Total.Evicted - from.Total.Evicted) / seconds),10} "
            + $"{Figure.Share(now.CpuSeconds - from.CpuSeconds, seconds),7} {Figure.Whole(now.Connections),6}";
    }

    private static StatsReading Nothing(StatsReading like) => like with
    {
        UptimeSeconds = 0,
        CpuSeconds = 0,
        Rpcs = [],
        Total = new CacheReading("", 0, 0, 0, 0, 0, 0, 0),
    };

    private static long Calls(StatsReading stats) => stats.Rpcs.Sum(static rpc => rpc.Count);

    private static long Failures(StatsReading stats) => stats.Rpcs.Sum(static rpc => rpc.Failures);

    private static SortedDictionary<double, long> Window(StatsReading from, StatsReading now)
    {
        SortedDictionary<double, long> window = [];
        Add(window, now, 1);
        Add(window, from, -1);
        return window;
    }

    private static void Add(SortedDictionary<double, long> window, StatsReading stats, int sign)
    {
        foreach ((double upTo, long count) in stats.Rpcs.SelectMany(static rpc => rpc.Buckets))
        {
            window[upTo] = window.GetValueOrDefault(upTo) + (sign * count);
        }
    }

    // Returns the upper bound of the histogram bucket that contains the quantile.
    private static string Quantile(SortedDictionary<double, long> window, double share)
    {
        long all = window.Values.Sum();
        long seen = 0;
        foreach ((double upTo, long count) in window)
        {
            seen += count;
            if (count > 0 && seen >= share * all)
            {
                return Figure.Microseconds(upTo);
            }
        }

        return "–";
    }
}
