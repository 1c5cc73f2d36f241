using System.Globalization;

namespace Larder.Tuner.Soak;

/// <summary>Judges a soak: each check with what was seen.</summary>
internal sealed record SoakVerdict(IReadOnlyList<(bool Passed, string Text)> Checks)
{
    /// <summary>
    /// Growth that still counts as flat, from the first half of the run's second fifth on to its end: 10 %, and 32 MiB beside it, the
    /// size of a collector's generation that happens to be full at one of the two moments.
    /// </summary>
    private const double FlatShare = 1.10;
    private const long FlatBytes = 32L << 20;

    /// <summary>Part of the calls that may fail: gets and sets are retried, so a reset costs only those whose retries were spent.</summary>
    private const double MostFailures = 0.01;

    /// <summary>Whether all passed.</summary>
    public bool Passed => Checks.All(check => check.Passed);

    /// <summary>Judges the counts of the load, what the client held afterwards, and memory over time.</summary>
    public static SoakVerdict Of(SoakCounts counts, IReadOnlyList<SoakSample> samples) => new(
    [
        (counts.Ended, counts.Ended ? "every call ended" : "LOST: calls had not ended long after their deadline"),
        (counts.Calls > 0, Say($"{counts.Calls:N0} calls: {counts.Hits:N0} hits, {counts.Misses:N0} misses, {counts.Writes:N0} sets")),
        (counts.Failures <= counts.Calls * MostFailures, Say($"{counts.Failures:N0} calls failed ({string.Join(", ", counts.Errors.Select(pair => $"{pair.Value} × {pair.Key}"))})")),
        (counts.Crossed == 0, Say($"{counts.Crossed:N0} values belonged to another key")),
        (counts.InFlightAfter == 0, Say($"{counts.InFlightAfter} permits held after the last call")),
        (counts.QueuedAfter == 0, Say($"{counts.QueuedAfter} callers queued after the last call")),
        (counts.Resets > 0, Say($"{counts.Resets:N0} connections reset under load")),
        Flat("client's managed memory", [.. samples.Select(sample => sample.ClientManagedBytes)]),
        Flat("client's resident memory", [.. samples.Select(sample => sample.ClientResidentBytes)]),
        Flat("server's resident memory", [.. samples.Select(sample => sample.ServerResidentBytes ?? 0)]),
    ]);

    private static (bool Passed, string Text) Flat(string what, long[] bytes)
    {
        if (bytes.Length < 5)
        {
            return (false, $"{what}: only {bytes.Length} samples, too few to say");
        }

        // The first fifth warms up. Medians, so that one full generation says nothing.
        var settled = bytes[(bytes.Length / 5)..];
        var early = Median(settled[..((settled.Length + 1) / 2)]);
        var late = Median(settled[(settled.Length / 2)..]);
        return (late <= Math.Max(early * FlatShare, early + FlatBytes), Say($"{what}: {early / 1048576.0:F1} MiB in the first half, {late / 1048576.0:F1} MiB in the second"));
    }

    private static double Median(long[] figures) => Bench.Median.Of(figures.Select(figure => (double)figure));

    private static string Say(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
