using static Larder.Report.InvariantText;

namespace Larder.Lab.Soak;

/// <summary>Judges a soak: each check with what was seen.</summary>
internal sealed record SoakVerdict(IReadOnlyList<(bool Passed, string Text)> Checks)
{
    /// <summary>
    /// Growth that still counts as flat: a part of what there was, and beside it what a collector and an allocator keep or let go without a leak.
    /// </summary>
    private const double FlatShare = 1.05;
    private const long FlatManagedBytes = 1L << 20;
    public const long FlatResidentBytes = 8L << 20;

    /// <summary>Part of the calls that may fail: gets and sets are retried, so a reset costs only those whose retries were spent.</summary>
    private const double MostFailures = 0.01;

    /// <summary>Whether all passed.</summary>
    public bool Passed => Checks.All(check => check.Passed);

    /// <summary>Judges the counts of the load, what the client held afterwards, and memory over time.</summary>
    public static SoakVerdict Of(SoakCounts counts, IReadOnlyList<SoakSample> samples) => new(
    [
        (counts.Ended, counts.Ended ? "every call ended" : "LOST: calls had not ended long after their deadline"),
        (counts.Calls > 0, Say($"{counts.Calls:N0} calls: {counts.Hits:N0} hits, {counts.Misses:N0} misses, {counts.Writes:N0} sets")),
        (
            counts.Failures <= counts.Calls * MostFailures,
            Say($"{counts.Failures:N0} calls failed ({string.Join(", ", counts.Errors.Select(pair => $"{pair.Value} × {pair.Key}"))})")),
        (counts.Crossed == 0, Say($"{counts.Crossed:N0} values belonged to another key")),
        (counts.InFlightAfter == 0, Say($"{counts.InFlightAfter} permits held after the last call")),
        (counts.QueuedAfter == 0, Say($"{counts.QueuedAfter} callers queued after the last call")),
        (counts.Resets > 0, Say($"{counts.Resets:N0} connections reset under load")),
        Flat("client's managed memory", FlatManagedBytes, [.. samples.Select(sample => sample.ClientManagedBytes)]),
        Flat("client's resident memory", FlatResidentBytes, [.. samples.Select(sample => sample.ClientResidentBytes)]),
        Flat("server's resident memory", FlatResidentBytes, [.. samples.Select(sample => sample.ServerResidentBytes ?? 0)]),
    ]);

    /// <summary>Judges whether what was held stays the same over a run.</summary>
    public static (bool Passed, string Text) Flat(string what, long allowed, long[] bytes)
    {
        if (bytes.Length < 5)
        {
            return (false, $"{what}: only {bytes.Length} samples, too few to say");
        }

        // Two fifths warm up: what only a reset runs is compiled after thirty of them and again after sixty, on whichever thread, each of which keeps the
        // compiler's memory. Then the lowest of each half: what is held for a moment, or not collected yet, is no growth, and what leaks is in every sample
        // after it.
        long[] settled = bytes[(bytes.Length * 2 / 5)..];
        long early = settled[..(settled.Length / 2)].Min();
        long late = settled[(settled.Length / 2)..].Min();
        return (
            late <= Math.Max(early * FlatShare, early + allowed),
            Say($"{what}: at least {early / 1048576.0:F1} MiB in the first half, {late / 1048576.0:F1} MiB in the second"));
    }
}
