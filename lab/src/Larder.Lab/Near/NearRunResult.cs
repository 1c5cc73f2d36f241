using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>The result of a randomized run.</summary>
internal sealed record NearRunResult
{
    /// <summary>Gets the name of the servers.</summary>
    public required string Servers { get; init; }

    public required NearRunOptions Options { get; init; }

    public required IReadOnlyList<NearRunRow> Rows { get; init; }

    /// <summary>Gets the numbers of near copies that were served while the network was cut.</summary>
    public required IReadOnlyList<NearCut> Cuts { get; init; }

    /// <summary>Gets the number of connections that were reset.</summary>
    public required int Resets { get; init; }

    /// <summary>Gets the findings from the records of all processes.</summary>
    public required NearFindings Findings { get; init; }

    /// <summary>Gets the number of reads of all processes.</summary>
    public long Reads => Rows.Sum(static row => row.Answer.Reads);

    /// <summary>Gets the number of violations that the processes themselves detected.</summary>
    public long Violations => Rows.Sum(static row => row.Answer.Violations);

    public bool Passed => Checks.All(static check => check.Passed);

    public IReadOnlyList<(bool Passed, string Check)> Checks =>
    [
        (
            Violations == 0,
            Say($"{Violations} reads returned an older value than the same client had already read or written")
                + First(Rows.SelectMany(static row => row.Answer.Told))),
        (
            Findings.ViolationCount == 0,
            Say($"{Findings.ViolationCount} reads violate the rules, according to the records of all processes{ByKind()}{First(Findings.Told)}")),
        (Findings.LongestStaleMs <= Options.Rules.LeaseMs, Stale()),
        .. Cuts.Select(static cut => (
            cut.HitsPastLease == 0,
            Say($"network cut, {cut.Process}: {cut.HitsInLease:N0} near-cache hits before the lease expired, {cut.HitsPastLease} after it expired"))),
        (Rows.All(static row => row.GoesOn), $"near-cache hits after the last fault: {GoOn()}"),
    ];

    /// <summary>Returns the run as Markdown.</summary>
    public IReadOnlyList<string> Lines() =>
    [
        Say($"- servers: {Servers}"),
        Say($"- load: two processes for each of {Options.Languages.Count} languages: one writes and reads, the other only reads; each process ")
            + Say($"has {Options.Callers} callers, and {Options.Peekers} more callers that only read from the near cache; ")
            + Say($"{Options.Keys:N0} keys, Zipf distribution ({Options.Zipf:0.0}), {Options.Time.TotalSeconds:N0} s"),
        Say($"- faults: {Resets} connections reset; {string.Join("; ", Options.Faults.Select(Told))}"),
        "",
        "| process | reads | near-cache hits | plain reads | writes | failed | cached | invalidations | clears | poisoned | evictions | violations |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        .. Rows.Select(Line),
        "",
        .. Checks.Select(static check => $"- {(check.Passed ? "pass" : "**FAIL**")}: {check.Check}"),
    ];

    private static string Line(NearRunRow row)
    {
        (NearAnswer answer, NearFigures figures) = (row.Answer, row.Figures);
        string failed = string.Join(", ", answer.Failures.OrderBy(static pair => pair.Key).Select(static pair => Say($"{pair.Value:N0} {pair.Key}")));
        return Say($"| {row.Name} | {answer.Reads:N0} | {Share(answer.Hits, answer.Reads)} | {answer.PlainReads:N0} | {answer.Writes:N0} | {failed} ")
            + Say($"| {figures.Kept:N0} | {figures.Invalidations:N0} | {figures.Clears:N0} ")
            + Say($"| {figures.Poisoned:N0} | {figures.Evictions:N0} | {answer.Violations} |");
    }

    private static string Share(long part, long whole) => whole == 0 ? "" : Say($"{100.0 * part / whole:0.0} %");

    private static string Told(NearFault fault) => fault.Kind switch
    {
        NearFaultKind.CutReaders => Say($"the readers' network is cut for {fault.Length.TotalSeconds:N0} s"),
        NearFaultKind.StopReaders => Say($"the readers' processes are stopped for {fault.Length.TotalSeconds:N0} s"),
        NearFaultKind.StopServer => Say($"server {fault.Server + 1} is stopped for {fault.Length.TotalSeconds:N0} s"),
        NearFaultKind.Sweep => "every key is written",
        NearFaultKind.Restart => Say($"server {fault.Server + 1} is killed and restarted"),
        _ => "the cache is flushed",
    };

    private static string First(IEnumerable<string> told) => told.FirstOrDefault() is { } first ? $": {first}" : "";

    private string ByKind() =>
        Findings.ViolationCount == 0 ? "" : $" ({string.Join(", ", Findings.Violations.Select(static pair => Say($"{pair.Value} {pair.Key}")))})";

    private string GoOn() => string.Join("; ", Rows.Where(static row => row.GoesOn).Select(static row => row.Name));

    private string Stale() =>
        Say($"longest staleness {Findings.LongestStaleMs:N0} ms (limit {Options.Rules.LeaseMs:N0} ms), ")
            + Say($"p99.9 {NearFindings.Quantile(Findings.StaleMs, 0.999):N1} ms, {Findings.StaleMs.Length:N0} reads of old versions");
}
