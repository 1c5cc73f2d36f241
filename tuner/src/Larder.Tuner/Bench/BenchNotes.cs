using System.Globalization;
using Larder.Report.Runs;

namespace Larder.Tuner.Bench;

/// <summary>The notes below the table: rejected rounds, too few samples, errors.</summary>
internal static class BenchNotes
{
    /// <summary>The note for an interrupted sweep.</summary>
    public const string Incomplete = "Interrupted: the table is incomplete, and its last rows may be based on fewer rounds.";

    /// <summary>Returns one sentence per note.</summary>
    public static IEnumerable<string> Of(IReadOnlyList<BenchRow> rows)
    {
        if (rows.Where(row => !row.EnoughForP999).ToArray() is { Length: > 0 } few)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"? fewer than {LatencySummary.SamplesForP999:N0} calls in a round, so p99.9 is based on fewer than ten of them: "
                    + $"{string.Join("; ", few.Select(row => $"{Name(row)} ({row.Samples} in {row.Rounds})"))}.");
        }

        if (rows.Where(row => row.Disturbed).ToArray() is { Length: > 0 } disturbed)
        {
            yield return $"~ other programs used the machine in some of the counted rounds: {string.Join("; ", disturbed.Select(Name))}.";
        }

        foreach (BenchRow? row in rows.Where(row => row.Errors > 0))
        {
            yield return $"! {Name(row)}: "
                + $"{string.Join(", ", row.ErrorCodes.Select(pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Value:N0} × {pair.Key}")))}.";
        }

        if (rows.Sum(row => row.Rejected) is > 0 and var rejected)
        {
            yield return $"{rejected} rounds were rejected and repeated, because other programs used the machine.";
        }
    }

    private static string Name(BenchRow row) => $"{row.Client} {row.Transport} at {row.Rung}";
}
