using static Larder.Report.InvariantText;

namespace Larder.Lab.Soak;

/// <summary>The verdict on a soak: its checks with the observed values.</summary>
internal sealed record SoakVerdict(IReadOnlyList<(bool Passed, string Text)> Checks)
{
    /// <summary>
    /// The growth of memory that still counts as constant: this factor or a fixed number of bytes (the next two constants), whichever allows more. The fixed
    /// number allows for memory that garbage collectors and allocators keep or release.
    /// </summary>
    private const double FlatShare = 1.05;
    private const long FlatManagedBytes = 1L << 20;
    public const long FlatResidentBytes = 8L << 20;

    /// <summary>The maximum share of failed calls. Gets and sets are retried, so a reset only fails calls that have no retries left.</summary>
    private const double MaxFailures = 0.01;

    public bool Passed => Checks.All(check => check.Passed);

    /// <summary>Checks the counts of the load, the client's state afterwards, and memory over time.</summary>
    public static SoakVerdict Of(SoakCounts counts, IReadOnlyList<SoakSample> samples) => new(
    [
        (counts.Ended, counts.Ended ? "every call ended" : "some calls were still running long after their deadline"),
        (counts.Calls > 0, Say($"{counts.Calls:N0} calls: {counts.Hits:N0} hits, {counts.Misses:N0} misses, {counts.Writes:N0} sets")),
        (
            counts.Failures <= counts.Calls * MaxFailures,
            Say($"failed calls: {counts.Failures:N0} ({string.Join(", ", counts.Errors.Select(pair => $"{pair.Value} × {pair.Key}"))})")),
        (counts.Crossed == 0, Say($"{counts.Crossed:N0} values belonged to another key")),
        (counts.InFlightAfter == 0, Say($"{counts.InFlightAfter} permits still in use after the last call")),
        (counts.QueuedAfter == 0, Say($"{counts.QueuedAfter} callers queued after the last call")),
        (counts.Resets > 0, Say($"{counts.Resets:N0} connections reset under load")),
        Flat("client's managed memory", FlatManagedBytes, [.. samples.Select(sample => sample.ClientManagedBytes)]),
        Flat("client's resident memory", FlatResidentBytes, [.. samples.Select(sample => sample.ClientResidentBytes)]),
        Flat("server's resident memory", FlatResidentBytes, [.. samples.Select(sample => sample.ServerResidentBytes ?? 0)]),
    ]);

    /// <summary>Checks whether memory stays constant over a run.</summary>
    public static (bool Passed, string Text) Flat(string what, long allowed, long[] bytes)
    {
        if (bytes.Length < 5)
        {
            return (false, $"{what}: only {bytes.Length} samples, too few for a result");
        }

        // Ignore the first two fifths as warm-up: code that runs only after resets is JIT-compiled after thirty resets and again after sixty, on different
        // threads, and each of these threads keeps the memory of the compiler. Then compare the minimum of each half. Temporary or uncollected memory does not
        // raise the minimum, but a leak raises every later sample.
        long[] settled = bytes[(bytes.Length * 2 / 5)..];
        long early = settled[..(settled.Length / 2)].Min();
        long late = settled[(settled.Length / 2)..].Min();
        return (
            late <= Math.Max(early * FlatShare, early + allowed),
            Say($"{what}: minimum {early / 1048576.0:F1} MiB in the first half, {late / 1048576.0:F1} MiB in the second"));
    }
}
