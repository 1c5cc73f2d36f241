using Larder.Report.Compare;
using Larder.Report.Runs;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests.Compare;

public sealed class CompareTests
{
    [Fact]
    public void Runs_of_one_machine_are_comparable_despite_different_commits()
    {
        (TuneRun? a, TuneRun? b) = (SampleRun.Make(), SampleRun.Make(speed: 2));
        b = b with
        {
            Machine = b.Machine with
            {
                Commit = "fedcba987654",
                Date = b.Machine.Date.AddDays(3),
                Runtime = ".NET 11",
                MemoryBytes = b.Machine.MemoryBytes + 4096,
            },
        };
        Assert.Empty(RunComparability.UnlikeMachines(a, b));
        Assert.Contains(RunComparability.OtherDifferences(a, b), difference => difference.Contains("fedcba987654", StringComparison.Ordinal));
    }

    [Fact]
    public void Each_difference_between_machines_is_named()
    {
        (TuneRun? a, TuneRun? b) = (SampleRun.Make(), SampleRun.Make());
        b = b with { Machine = b.Machine with { Cpu = "Another", Processors = 16, MemoryBytes = 64L << 30, System = "Other 1" } };
        Assert.Equal(
            ["processor: A made-up processor / Another", "number of processors: 2 / 16", "memory: 8 GiB / 64 GiB", "system: Linux 6 / Other 1"],
            RunComparability.UnlikeMachines(a, b));
    }

    [Fact]
    public void Comparison_shows_two_runs_side_by_side_with_ratio()
    {
        (IReadOnlyList<string>? headers, IReadOnlyList<IReadOnlyList<string>>? rows) = ComparedRuns.Search(SampleRun.Make(), SampleRun.Make(speed: 2));
        Assert.Equal(SampleRun.Ladder.Count + 1, rows.Count);
        Assert.All(rows, row => Assert.Equal("2.00 ×", row[headers.ToList().IndexOf("B / A")]));
        Assert.StartsWith("knee: 8 / 8", rows[^1][0], StringComparison.Ordinal);
    }

    [Fact]
    public void Rung_missing_from_one_run_has_no_ratio()
    {
        (TuneRun? a, TuneRun? b) = (SampleRun.Make(), SampleRun.Make());
        (IReadOnlyList<string> _, IReadOnlyList<IReadOnlyList<string>>? rows) = ComparedRuns.Search(a, b with { Search = [.. b.Search.Take(5)] });
        Assert.Equal("–", rows[9][3]);
    }
}
