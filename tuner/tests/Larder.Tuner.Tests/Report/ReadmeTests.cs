using System.Xml.Linq;
using Larder.Tuner.Processes;
using Larder.Tuner.Report.Readme;
using Larder.Tuner.Tests.Tune;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Tests.Report;

public sealed class ReadmeTests
{
    [Fact]
    public void The_readmes_results_and_pictures_are_what_the_program_makes_of_the_committed_runs() =>
        Assert.All(
            ReadmeCommand.Made(File.ReadAllText(Path.Combine(Programs.Root, "README.md")), ReadmeCommand.Committed()),
            made => Assert.Equal(made.Text, File.ReadAllText(Path.Combine(Programs.Root, made.Name))));

    [Fact]
    public void A_picture_is_a_file_of_its_own_with_its_size_its_style_and_nothing_from_elsewhere()
    {
        string text = ReadmeCommand.Made($"{ResultsTable.Begin}\n{ResultsTable.End}", [SampleRun.Make()])[1].Text;
        XElement picture = XDocument.Parse(text).Root!;
        Assert.Equal("http://www.w3.org/2000/svg", picture.Name.NamespaceName);
        Assert.Equal(("530", "330"), (picture.Attribute("width")?.Value, picture.Attribute("height")?.Value));
        Assert.Contains("prefers-color-scheme: dark", text, StringComparison.Ordinal);
        Assert.DoesNotContain("url(", text, StringComparison.Ordinal);
        Assert.DoesNotContain("href", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_runs_of_this_version_what_stands_there_stays() =>
        Assert.Empty(ReadmeCommand.Made($"{ResultsTable.Begin}\nold\n{ResultsTable.End}", []));

    [Fact]
    public void A_run_is_a_row_with_its_answer_and_its_knees_ratio_to_the_peers_own()
    {
        string table = ResultsTable.Of([SampleRun.Make("python"), SampleRun.Make()]);
        string[] rows = table.Split('\n').Where(line => line.StartsWith('|')).ToArray();
        Assert.Equal(4, rows.Length);
        Assert.StartsWith("| .NET, pipeline | p99.9 < 5 ms | 60,000 | 5 |", rows[2], StringComparison.Ordinal);
        Assert.StartsWith("| Python, pipeline |", rows[3], StringComparison.Ordinal);
        Assert.EndsWith("× | stackexchange-redis |", rows[2], StringComparison.Ordinal);
        Assert.Contains("measured 2026-11-21 on A made-up processor, 2 processors", table, StringComparison.Ordinal);
    }

    [Fact]
    public void A_row_says_the_proved_rate_or_that_there_is_none_and_what_limits()
    {
        TuneRun run = SampleRun.Make();
        Assert.Equal("60,000", Proved(run));
        Assert.Equal("no answer: server CPU", Proved(run with { Proved = null }));
        Assert.Equal("no answer", Proved(run with { Proved = null, Rates = [] }));
        Assert.Equal("60,000 ~", Proved(run with { Rates = [.. run.Rates.Select(step => step with { Measured = step.Measured with { Noisy = true } })] }));
    }

    private static string Proved(TuneRun run)
    {
        string[][] rows = ResultsTable.Of([run]).Split('\n').Where(line => line.StartsWith('|')).Select(line => line.Split(" | ")).ToArray();
        return rows[2][Array.IndexOf(rows[0], "proved calls/s")];
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
        string table = ResultsTable.Of([SampleRun.Make() with { Knee = null, Proved = null, Target = new TuneTarget(0.999, 1) }]);
        Assert.Contains("| no answer: server CPU | – | – | – | – | out of reach | – |", table, StringComparison.Ordinal);
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
