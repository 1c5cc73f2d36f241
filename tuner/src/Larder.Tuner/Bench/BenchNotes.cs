using System.Globalization;

namespace Larder.Tuner.Bench;

/// <summary>What a reader must know beside the table: rounds rejected, too few samples, errors.</summary>
internal static class BenchNotes
{
    /// <summary>One sentence each; none where there is nothing to say.</summary>
    public static IEnumerable<string> Of(IReadOnlyList<BenchRow> rows)
    {
        foreach (var row in rows.Where(row => !row.EnoughForP999))
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"? {Name(row)}: fewer than {BenchRow.SamplesForP999:N0} calls in a round ({row.Samples:N0} in {row.Rounds}), so its p99.9 rests on fewer than ten of them.");
        }

        foreach (var row in rows.Where(row => row.Disturbed))
        {
            yield return $"~ {Name(row)}: other programs used the machine in some of its rounds, and quiet ones were too few.";
        }

        foreach (var row in rows.Where(row => row.Errors > 0))
        {
            yield return $"! {Name(row)}: {string.Join(", ", row.ErrorCodes.Select(pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Value:N0} × {pair.Key}")))}.";
        }

        if (rows.Sum(row => row.Rejected) is > 0 and var rejected)
        {
            yield return $"{rejected} rounds were rejected because other programs used the machine, and repeated.";
        }
    }

    private static string Name(BenchRow row) => $"{row.Client} {row.Transport} at {row.Rung}";
}
