using static Larder.Report.InvariantText;

namespace Larder.Lab.Fleet;

/// <summary>What a row of <c>docs/faults.md</c> (S5a to S5j) has shown.</summary>
/// <param name="Row">Its name.</param>
/// <param name="Counts">The calls that the fault was about.</param>
/// <param name="Others">Those that it should not touch; null where there are none.</param>
/// <param name="Seen">What else was seen, for people.</param>
/// <param name="Broken">What is not as it has to be; empty: passed.</param>
internal sealed record FaultResult(string Row, LoadCounts Counts, LoadCounts? Others, string Seen, IReadOnlyList<string> Broken)
{
    // A busy machine's own pauses are shorter.
    private static readonly TimeSpan s_noticed = TimeSpan.FromMilliseconds(100);

    public bool Passed => Broken.Count == 0;

    /// <summary>One line with its numbers.</summary>
    public override string ToString()
    {
        string errors = string.Join(", ", Counts.Errors.Select(pair => Say($"{pair.Value} × {pair.Key}")));
        string others = Others is { } beside ? Say($"; others: {beside.Answered:N0} answered, {beside.Failed} failed") : "";
        return Say($"{Row}: {Counts.Answered:N0} calls answered, {Counts.Failed} failed{(errors.Length > 0 ? $" ({errors})" : "")}{others}; ")
            + Say($"{(Counts.LongestGap > s_noticed ? Say($"works again after {Counts.WorkedAgainAfter.TotalSeconds:N2} s, ") : "")}")
            + Say($"longest time without an answer {Counts.LongestGap.TotalSeconds:N2} s; ")
            + Say($"answered writes lost: of {Counts.Lost + (Others?.Lost ?? 0)} keys; ")
            + Say($"stale or crossed: {Counts.Stale + Counts.Crossed + (Others is { } o ? o.Stale + o.Crossed : 0)}{(Seen.Length > 0 ? $"; {Seen}" : "")}")
            + string.Concat(Broken.Select(what => $"\n  NOT SO: {what}"));
    }
}
