using Larder.Tuner.Report.Compare;
using Larder.Tuner.Tests.Tune;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Tests.Report.Compare;

public sealed class CompareTests
{
    [Fact]
    public void Runs_of_one_machine_may_be_compared_whatever_their_commit_and_date()
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
        Assert.Empty(Likeness.UnlikeMachines(a, b));
        Assert.Contains(Likeness.OtherDifferences(a, b), difference => difference.Contains("fedcba987654", StringComparison.Ordinal));
    }

    [Fact]
    public void Each_difference_of_the_machines_is_named()
    {
        (TuneRun? a, TuneRun? b) = (SampleRun.Make(), SampleRun.Make());
        b = b with { Machine = b.Machine with { Cpu = "Another", Processors = 16, MemoryBytes = 64L << 30, System = "Other 1" } };
        Assert.Equal(
            ["processor: A made-up processor / Another", "number of processors: 2 / 16", "memory: 8 GiB / 64 GiB", "system: Linux 6 / Other 1"],
            Likeness.UnlikeMachines(a, b));
    }

    [Fact]
    public void The_command_refuses_unlike_machines_unless_it_is_told_to_go_on()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-compare-");
        try
        {
            (FileInfo? a, FileInfo? b, string? page) = (
                new FileInfo(Path.Combine(folder.FullName, "a.json")),
                new FileInfo(Path.Combine(folder.FullName, "b.json")),
                Path.Combine(folder.FullName, "compare.html"));
            TuneRun run = SampleRun.Make();
            File.WriteAllText(a.FullName, TuneRunFile.Write(run));
            File.WriteAllText(b.FullName, TuneRunFile.Write(run with { Machine = run.Machine with { Cpu = "Another" } }));
            Assert.Equal(3, CompareCommand.Run(a, b, evenUnlike: false, [], page));
            Assert.False(File.Exists(page));
            Assert.Equal(0, CompareCommand.Run(a, b, evenUnlike: true, ["rate<-5%"], page));
            Assert.Contains("unlike machines", File.ReadAllText(page), StringComparison.Ordinal);
            Assert.Contains("B: 2 rounds were rejected", File.ReadAllText(page), StringComparison.Ordinal);
            Assert.Equal(4, CompareCommand.Run(a, new FileInfo("/nowhere/b.json"), evenUnlike: false, [], page));
            Assert.Equal(2, CompareCommand.Run(a, a, evenUnlike: false, ["speed<-5%"], page));
            File.WriteAllText(b.FullName, TuneRunFile.Write(run with { Proved = run.Proved! with { RatePerSecond = 50_000 } }));
            Assert.Equal(1, CompareCommand.Run(a, b, evenUnlike: false, ["rate<-5%"], page));
            Assert.Equal(0, CompareCommand.Run(b, a, evenUnlike: false, ["rate<-5%"], page));
            File.WriteAllText(b.FullName, TuneRunFile.Write(run with { Version = 1 }));
            Assert.Equal(4, CompareCommand.Run(a, b, evenUnlike: false, ["rate<-5%"], page));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public void Two_runs_stand_side_by_side_with_their_ratio()
    {
        (IReadOnlyList<string>? headers, IReadOnlyList<IReadOnlyList<string>>? rows) = ComparedRuns.Search(SampleRun.Make(), SampleRun.Make(speed: 2));
        Assert.Equal(SampleRun.Ladder.Count + 1, rows.Count);
        Assert.All(rows, row => Assert.Equal("2.00 ×", row[headers.ToList().IndexOf("B / A")]));
        Assert.StartsWith("knee: 8 / 8", rows[^1][0], StringComparison.Ordinal);
    }

    [Fact]
    public void A_rung_that_only_one_run_has_is_shown_without_a_ratio()
    {
        (TuneRun? a, TuneRun? b) = (SampleRun.Make(), SampleRun.Make());
        (IReadOnlyList<string> _, IReadOnlyList<IReadOnlyList<string>>? rows) = ComparedRuns.Search(a, b with { Search = [.. b.Search.Take(5)] });
        Assert.Equal("–", rows[9][3]);
    }
}
