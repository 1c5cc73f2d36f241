using static Larder.Report.InvariantText;

namespace Larder.Lab.Attackers;

/// <summary>Formats the effects of the attacks as Markdown.</summary>
internal static class AttackTable
{
    /// <summary>Returns the method, a row for each attack and transport, and the missed goals.</summary>
    /// <param name="options">The options of the run.</param>
    /// <param name="rounds">The number of rounds of each attack.</param>
    /// <param name="obstacle">The reason why the server has no memory limit; null if it has one.</param>
    /// <param name="outcomes">The results of the attacks.</param>
    public static IReadOnlyList<string> Of(AttackersOptions options, int rounds, string? obstacle, IReadOnlyList<AttackOutcome> outcomes) =>
    [
        "## Attackers",
        "",
        Say($"- neighbour: .NET client, {options.RatePerSecond:N0} calls per second over each of the pipeline and the unary transport, without retries;"),
        Say($"  latency from the scheduled time of a call; medians of {rounds} rounds of {options.Seconds} s"),
        Say($"- attackers and well-behaved clients: niceness {options.Nice}, two connections each"),
        "- × well-behaved: p99.9 during the attack, divided by p99.9 next to well-behaved clients that use as much CPU as the attackers; measured alternately",
        "- checks, four times per second: health, a new connection, a large value, a lease, a tagged item, a topic, near streams and the audit log",
        obstacle is null
            ? Say($"- server: `--memory 256m`, a token file, a kernel limit of {MemoryGroup.LimitBytes >> 20} MiB; one process for each attack")
            : $"- server: `--memory 256m`, a token file, no kernel limit ({obstacle}); one process for each attack",
        Say($"- the attacker's cache has a quota of {AttackTestBed.QuotaBytes >> 20} MiB, as `docs/guides/security.md` recommends if tenants share a server"),
        "",
        "| attack | transport | calls | errors | p50 µs | p99 µs | p99.9 µs | worst p99.9 µs | well-behaved p99.9 µs | × well-behaved | failed checks "
            + "| peak MiB | CPU attack | CPU well-behaved | server running | verdict |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---|",
        .. outcomes.SelectMany(Rows),
        "",
        Say($"Goals: no error, no failed check, p99.9 at most {AttackOutcome.MaxP999Us / 1_000:N0} ms and at most {AttackOutcome.MaxRatio} × well-behaved, ")
            + "memory within the limit, and a running server.",
        .. outcomes.SelectMany(outcome => outcome.Missed.Select(missed => $"- {outcome.Name}: {missed}")),
        .. outcomes.Where(outcome => outcome.Evicted > 0).Select(outcome => Say(
            $"- {outcome.Name}: the store evicted {outcome.Evicted} items of the tenant to free memory (reported only, not a goal)")),
        "",
        "Actions of the attackers:",
        .. outcomes.Where(outcome => outcome.Attackers.Length > 0).Select(outcome => $"- {outcome.Name}: {outcome.Attackers}"),
        "",
    ];

    private static IEnumerable<string> Rows(AttackOutcome outcome)
    {
        if (outcome.Skipped is { } reason)
        {
            return [$"| {outcome.Name} | | | | | | | | | | | | | | | skipped: {reason} |"];
        }

        string verdict = outcome.Missed.Count == 0 ? "ok" : "MISSED";
        return outcome.Neighbours.Select(neighbour => Say(
            $"| {outcome.Name} | {neighbour.Transport} | {neighbour.Calls:N0} | {neighbour.Errors:N0} | {neighbour.P50Us:N0} | {neighbour.P99Us:N0} | ",
            $"{neighbour.P999Us:N0} | {neighbour.WorstP999Us:N0} | {neighbour.CompanionP999Us:N0} | **{neighbour.Ratio:N2}** | ",
            $"{outcome.Failures.Values.Sum()} of {outcome.Checks:N0} | {outcome.PeakBytes >> 20} | {outcome.Cpu.Attack:F2} | {outcome.Cpu.Companions:F2} | ",
            $"{(outcome.End is null ? "yes" : "no")} | {verdict} |"));
    }
}
