using static Larder.Report.InvariantText;

namespace Larder.Lab.Attackers;

/// <summary>What one attack did to the neighbour.</summary>
internal sealed record AttackOutcome
{
    /// <summary>The most that p99.9 may be next to an attack, in µs.</summary>
    public const double MostP999Us = 20_000;

    /// <summary>The most that p99.9 may be, as a multiple of that next to well-behaved clients that use the same CPU.</summary>
    public const double MostRatio = 3;

    /// <summary>The attack's name.</summary>
    public required string Name { get; init; }

    /// <summary>Why it was not run; null if it was.</summary>
    public string? Skipped { get; init; }

    /// <summary>The neighbour's calls, by transport.</summary>
    public IReadOnlyList<NeighbourFigures> Neighbours { get; init; } = [];

    /// <summary>The tenant's checks that were made next to the attack.</summary>
    public long Checks { get; init; }

    /// <summary>Of them those that failed, by what failed.</summary>
    public IReadOnlyDictionary<string, long> Failures { get; init; } = new Dictionary<string, long>();

    /// <summary>Items of the tenant that the store evicted for memory: a quota bounds what a cache holds, not what its calls are making.</summary>
    public long Evicted { get; init; }

    /// <summary>The most memory that the server has had resident, in bytes; null if it is unknown.</summary>
    public long? PeakBytes { get; init; }

    /// <summary>Its limit in bytes; null if this machine has none.</summary>
    public long? LimitBytes { get; init; }

    /// <summary>How the server ended; null while it lives.</summary>
    public string? End { get; init; }

    /// <summary>Processors: of the server and the attackers, and of the server and the well-behaved clients.</summary>
    public (double? Attack, double? Companions) Cpu { get; init; }

    /// <summary>What the attackers did in all rounds.</summary>
    public string Attackers { get; init; } = "";

    /// <summary>The goals that were missed; empty if all were met, or the attack was not run.</summary>
    public IReadOnlyList<string> Missed => Skipped is not null ? [] :
    [
        .. End is null ? [] : new[] { $"the server ended: {End}" },
        .. Neighbours.SelectMany(neighbour => neighbour.Missed),
        .. Failures.Select(failure => Say($"{failure.Value} of the tenant's checks failed: {failure.Key}")),
        .. PeakBytes > LimitBytes ? [Say($"memory {PeakBytes >> 20} MiB, limit {LimitBytes >> 20}")] : Array.Empty<string>(),
    ];
}

/// <summary>The neighbour's calls of one transport: medians of rounds next to an attack, and next to well-behaved clients.</summary>
/// <param name="Transport">The transport.</param>
/// <param name="Calls">Calls next to the attack.</param>
/// <param name="Errors">Of them those that failed.</param>
/// <param name="P50Us">Latency from when a call was due, in µs.</param>
/// <param name="P99Us">The same of 99 %.</param>
/// <param name="P999Us">The same of 99.9 %.</param>
/// <param name="WorstP999Us">The highest p99.9 of a round.</param>
/// <param name="CompanionP999Us">p99.9 next to well-behaved clients.</param>
internal sealed record NeighbourFigures(
    string Transport, long Calls, long Errors, double P50Us, double P99Us, double P999Us, double WorstP999Us, double CompanionP999Us)
{
    /// <summary>p99.9 next to the attack as a multiple of that next to well-behaved clients.</summary>
    public double Ratio => P999Us / CompanionP999Us;

    /// <summary>The goals that were missed.</summary>
    public IEnumerable<string> Missed =>
    [
        .. Calls > 0 ? [] : new[] { $"{Transport}: no calls" },
        .. Errors == 0 ? [] : new[] { Say($"{Transport}: {Errors:N0} errors") },
        .. P999Us <= AttackOutcome.MostP999Us ? [] : new[] { Say($"{Transport}: p99.9 {P999Us / 1_000:N1} ms, at most {AttackOutcome.MostP999Us / 1_000:N0}") },
        .. P999Us <= AttackOutcome.MostRatio * CompanionP999Us ? [] : new[] { Say($"{Transport}: p99.9 {Ratio:N1} ×, at most {AttackOutcome.MostRatio}") },
    ];
}
