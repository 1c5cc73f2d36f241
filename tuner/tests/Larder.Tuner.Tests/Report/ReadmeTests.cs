using Larder.Tuner.Processes;
using Larder.Tuner.Report.Readme;
using Larder.Tuner.Tests.Tune;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Tests.Report;

public sealed class ReadmeTests
{
    [Fact]
    public void The_readmes_results_are_what_the_program_prints_from_the_committed_runs()
    {
        string readme = File.ReadAllText(Path.Combine(Programs.Root, "README.md"));
        string table = ResultsTable.Of(ReadmeCommand.Committed());
        // A README that shows no results cannot show wrong ones.
        if (readme.Contains(ResultsTable.Begin, StringComparison.Ordinal))
        {
            Assert.Equal(table, ResultsTable.In(readme));
        }
    }

    [Fact]
    public void A_run_is_a_row_with_its_knee_and_its_ratio_to_the_peers_own_knee()
    {
        string table = ResultsTable.Of([SampleRun.Make("python"), SampleRun.Make()]);
        string[] rows = table.Split('\n').Where(line => line.StartsWith('|')).ToArray();
        Assert.Equal(4, rows.Length);
        Assert.StartsWith("| .NET, pipeline | p99.9 < 5 ms | 8 |", rows[2], StringComparison.Ordinal);
        Assert.StartsWith("| Python, pipeline |", rows[3], StringComparison.Ordinal);
        Assert.EndsWith("× | stackexchange-redis |", rows[2], StringComparison.Ordinal);
        Assert.Contains("measured 2026-11-21 on A made-up processor, 2 processors", table, StringComparison.Ordinal);
    }

    [Fact]
    public void A_row_says_up_to_which_share_its_proof_kept_the_target()
    {
        TuneRun run = SampleRun.Make();
        Assert.Equal("95 %", Kept(run with { Target = new TuneTarget(0.999, 1e9) }));
        Assert.Equal("–", Kept(run with { Target = new TuneTarget(0.999, 1) }));
        Assert.Equal("–", Kept(run with { Proof = [] }));
        Assert.Equal(
            "95 % ~",
            Kept(
                run with
                {
                    Target = new TuneTarget(0.999, 1e9),
                    Proof = [.. run.Proof.Select(step => step with { Measured = step.Measured with { Noisy = true } })],
                }));
    }

    private static string Kept(TuneRun run)
    {
        string[][] rows = ResultsTable.Of([run]).Split('\n').Where(line => line.StartsWith('|')).Select(line => line.Split(" | ")).ToArray();
        return rows[2][Array.IndexOf(rows[0], "target kept on a schedule up to")];
    }

    [Fact]
    public void Of_runs_that_asked_the_same_the_newest_counts()
    {
        TuneRun old = SampleRun.Make();
        string table = ResultsTable.Of([SampleRun.Make(speed: 2), old with { Machine = old.Machine with { Date = old.Machine.Date.AddDays(-1) } }]);
        Assert.Equal(ResultsTable.Of([SampleRun.Make(speed: 2)]), table);
    }

    [Fact]
    public void A_target_that_nobody_reaches_is_said_so()
    {
        string table = ResultsTable.Of([SampleRun.Make() with { Knee = null, Target = new TuneTarget(0.999, 1) }]);
        Assert.Contains("| out of reach | – | – | – |", table, StringComparison.Ordinal);
        Assert.Contains("(misses the target)", table, StringComparison.Ordinal);
    }

    [Fact]
    public void The_table_replaces_what_stands_between_the_markers_and_nothing_else()
    {
        string readme = $"before\n{ResultsTable.Begin}\nold\n{ResultsTable.End}\nafter\n";
        string once = ResultsTable.Put(readme, "| new |\n");
        Assert.Equal($"before\n{ResultsTable.Begin}\n| new |\n{ResultsTable.End}\nafter\n", once);
        Assert.Equal("| new |\n", ResultsTable.In(once));
        Assert.Equal(once, ResultsTable.Put(once, "| new |\n"));
    }

    [Theory]
    [InlineData("nothing")]
    [InlineData(ResultsTable.End + ResultsTable.Begin)]
    [InlineData(ResultsTable.Begin + ResultsTable.Begin + ResultsTable.End)]
    public void A_readme_without_its_markers_is_refused(string readme) => Assert.Throws<FormatException>(() => ResultsTable.Put(readme, "| new |\n"));
}
