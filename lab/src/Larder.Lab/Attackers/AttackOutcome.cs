using static Larder.Report.InvariantText;

namespace Larder.Lab.Attackers;

/// <summary>The effect of one attack on the neighbour.</summary>
internal sealed record AttackOutcome
{
    /// <summary>The highest acceptable p99.9 during an attack, in µs.</summary>
    public const double MaxP999Us = 20_000;

    /// <summary>The highest acceptable ratio of p99.9 during an attack to p99.9 next to well-behaved clients that use the same CPU time.</summary>
    public const double MaxRatio = 3;

    public required string Name { get; init; }

    /// <summary>Gets the reason why the attack was not run; null if it was run.</summary>
    public string? Skipped { get; init; }

    /// <summary>Gets the results of the neighbour's calls, by transport.</summary>
    public IReadOnlyList<NeighbourFigures> Neighbours { get; init; } = [];

    /// <summary>Gets the number of the tenant's checks during the attack.</summary>
    public long Checks { get; init; }

    /// <summary>Gets the failed checks, by kind.</summary>
    public IReadOnlyDictionary<string, long> Failures { get; init; } = new Dictionary<string, long>();

    /// <summary>
    /// Gets the number of the tenant's items that the store evicted to free memory. A quota limits the contents of a cache, but not the memory of calls in
    /// progress.
    /// </summary>
    public long Evicted { get; init; }

    /// <summary>Gets the server's peak resident memory, in bytes; null if unknown.</summary>
    public long? PeakBytes { get; init; }

    /// <summary>Gets the server's memory limit in bytes; null if this machine cannot enforce a limit.</summary>
    public long? LimitBytes { get; init; }

    /// <summary>Gets a text with the exit code of the server; null if the server is still running.</summary>
    public string? End { get; init; }

    /// <summary>
    /// Gets the CPU usage, in processors. <c>Attack</c> is the usage of the server and the attackers. <c>Companions</c> is the usage of the server and the
    /// well-behaved clients.
    /// </summary>
    public (double? Attack, double? Companions) Cpu { get; init; }

    /// <summary>Gets the total counts of the attackers in all rounds, as text.</summary>
    public string Attackers { get; init; } = "";

    /// <summary>Gets the missed goals. Empty if all goals were met or the attack was not run.</summary>
    public IReadOnlyList<string> Missed => Skipped is not null ? [] :
    [
        .. End is null ? [] : new[] { $"the server exited: {End}" },
        .. Neighbours.SelectMany(neighbour => neighbour.Missed),
        .. Failures.Select(failure => Say($"{failure.Value} of the tenant's checks failed: {failure.Key}")),
        .. PeakBytes > LimitBytes ? [Say($"memory {PeakBytes >> 20} MiB, limit {LimitBytes >> 20}")] : Array.Empty<string>(),
    ];
}

/// <summary>
/// The results of the neighbour's calls on one transport, during the attack and next to well-behaved clients. Unless stated otherwise, a latency is the median
/// of the rounds.
/// </summary>
/// <param name="Transport">The transport.</param>
/// <param name="Calls">The number of calls during the attack.</param>
/// <param name="Errors">The number of those calls that failed.</param>
/// <param name="P50Us">The median latency in µs, measured from the time at which a call was due.</param>
/// <param name="P99Us">The 99th percentile, in µs.</param>
/// <param name="P999Us">The 99.9th percentile, in µs.</param>
/// <param name="WorstP999Us">The highest p99.9 of a round, in µs.</param>
/// <param name="CompanionP999Us">The p99.9 next to well-behaved clients, in µs.</param>
internal sealed record NeighbourFigures(
    string Transport, long Calls, long Errors, double P50Us, double P99Us, double P999Us, double WorstP999Us, double CompanionP999Us)
{
    /// <summary>Gets the ratio of p99.9 during the attack to p99.9 next to well-behaved clients.</summary>
    public double Ratio => P999Us / CompanionP999Us;

    /// <summary>Gets the missed goals.</summary>
    public IEnumerable<string> Missed =>
    [
        .. Calls > 0 ? [] : new[] { $"{Transport}: no calls" },
        .. Errors == 0 ? [] : new[] { Say($"{Transport}: {Errors:N0} errors") },
        .. P999Us <= AttackOutcome.MaxP999Us ? [] : new[] { Say($"{Transport}: p99.9 {P999Us / 1_000:N1} ms, goal {AttackOutcome.MaxP999Us / 1_000:N0} ms") },
        .. P999Us <= AttackOutcome.MaxRatio * CompanionP999Us ? [] : new[] { Say($"{Transport}: p99.9 {Ratio:N1} ×, goal {AttackOutcome.MaxRatio} ×") },
    ];
}
