using static Larder.Report.InvariantText;

namespace Larder.Lab.Fleet;

/// <summary>The result of one fault scenario, which is a row of <c>docs/faults.md</c> (S5a to S5j).</summary>
/// <param name="Row">The name of the row.</param>
/// <param name="Counts">The calls affected by the fault.</param>
/// <param name="Others">The calls that the fault must not affect; null if there are no such calls.</param>
/// <param name="Seen">Other observations, as text.</param>
/// <param name="Broken">The violated requirements; empty if the row passed.</param>
internal sealed record FaultResult(string Row, LoadCounts Counts, LoadCounts? Others, string Seen, IReadOnlyList<string> Broken)
{
    // The minimum length of a gap for which the recovery time is reported. Shorter gaps are usual on a busy machine.
    private static readonly TimeSpan s_noticed = TimeSpan.FromMilliseconds(100);

    public bool Passed => Broken.Count == 0;

    /// <summary>Returns the counts and gaps as one line of text.</summary>
    public override string ToString()
    {
        string errors = string.Join(", ", Counts.Errors.Select(pair => Say($"{pair.Value} × {pair.Key}")));
        string others = Others is { } beside ? Say($"; calls to other slots: {beside.Answered:N0} completed, {beside.Failed} failed") : "";
        return Say($"{Row}: {Counts.Answered:N0} calls completed, {Counts.Failed} failed{(errors.Length > 0 ? $" ({errors})" : "")}{others}; ")
            + Say($"{(Counts.LongestGap > s_noticed ? Say($"calls succeeded again after {Counts.WorkedAgainAfter.TotalSeconds:N2} s, ") : "")}")
            + Say($"longest time without a response {Counts.LongestGap.TotalSeconds:N2} s; ")
            + Say($"keys with lost acknowledged writes: {Counts.Lost + (Others?.Lost ?? 0)}; ")
            + Say($"reads of stale or wrong values: {Counts.Stale + Counts.Crossed + (Others is { } o ? o.Stale + o.Crossed : 0)}")
            + (Seen.Length > 0 ? $"; {Seen}" : "")
            + string.Concat(Broken.Select(what => $"\n  BROKEN: {what}"));
    }
}
