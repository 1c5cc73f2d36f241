using System.Xml.Linq;
using Larder.Report.Readme;
using Larder.Report.Runs;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests.Readme;

public sealed class ResultsTableTests
{
    private static readonly string s_empty = $"{ReadmePart.Begin}\n{ReadmePart.End}";

    [Fact]
    public void A_row_has_both_targets_side_by_side_and_the_knees_ratio_to_the_peers_own()
    {
        string[] rows = Rows(ResultsTable.Of([Run("python"), Run(), Run(limitUs: 20_000, speed: 2)]));
        Assert.Equal(4, rows.Length);
        Assert.Equal("| client | calls/s with p99.9 < 5 ms | limit | calls/s with p99.9 < 20 ms | limit | × peer's calls/s | peer |", rows[0]);
        Assert.StartsWith("| .NET, pipeline | 60,000 | 5 | 120,000 | 5 | 1.", rows[2], StringComparison.Ordinal);
        Assert.EndsWith("× | stackexchange-redis |", rows[2], StringComparison.Ordinal);
        Assert.StartsWith("| Python, pipeline | 60,000 | 5 | – | – |", rows[3], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, 2)]
    [InlineData(10, 8)]
    public void It_never_has_more_than_eight_rows_whatever_is_committed(int times, int most)
    {
        CommittedRun[] runs =
        [
            .. from language in new[] { "dotnet", "python", "node" }.Take(times)
               from transport in new[] { "pipeline", "unary", "auto", "other" }.Take(times)
               from network in new[] { "loopback", "1 ms", "30 ms", "90 ms" }.Take(times > 1 ? times : 2)
               from limitUs in new[] { 5_000, 20_000, 100_000 }
               select Run(language, limitUs: limitUs, transport: transport, network: network),
        ];
        string[] rows = Rows(ResultsTable.Of(runs))[2..];
        Assert.Equal(most, rows.Length);
        Assert.InRange(rows.Length, 1, ResultsTable.MostRows);
        Assert.InRange(rows.Count(row => row.Contains(" ms |", StringComparison.Ordinal) && !row.Contains("loopback", StringComparison.Ordinal)), 0, 2);
    }

    [Fact]
    public void A_row_says_the_proved_rate_or_that_there_is_none_and_what_limits()
    {
        Assert.Contains("| no answer: server CPU | – |", Rows(ResultsTable.Of([With(run => run with { Proved = null })]))[2], StringComparison.Ordinal);
        Assert.Contains("| no answer | – |", Rows(ResultsTable.Of([With(run => run with { Proved = null, Rates = [] })]))[2], StringComparison.Ordinal);
    }

    [Fact]
    public void What_other_programs_disturbed_is_one_sentence_below()
    {
        Assert.DoesNotContain("disturbed", ResultsTable.Of([Run()]), StringComparison.Ordinal);
        Assert.Contains(
            "Disturbed by other programs: .NET, pipeline below 5 ms.",
            ResultsTable.Of([With(run => run with { Rates = [.. run.Rates.Select(step => step with { Measured = step.Measured with { Noisy = true } })] })]),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Of_runs_that_asked_the_same_the_newest_counts_and_older_versions_do_not()
    {
        CommittedRun old = With(run => run with { Machine = run.Machine with { Date = run.Machine.Date.AddDays(-1) } });
        Assert.Equal(ResultsTable.Of([Run(speed: 2)]), ResultsTable.Of([Run(speed: 2), old]));
        Assert.Equal("", ResultsTable.Of([With(run => run with { Version = 1 })]));
    }

    [Fact]
    public void The_list_has_every_run_with_its_file_and_says_which_are_older()
    {
        string[] rows = Rows(ResultsList.Of([Run("node", network: "1 ms"), With(run => run with { Version = 1, Proved = null, Rates = [] })]));
        Assert.Equal(4, rows.Length);
        Assert.Contains("| older run | – |", rows[2], StringComparison.Ordinal);
        Assert.StartsWith("| Node, pipeline, 1 ms | p99.9 < 5 ms | 60,000 | 5 |", rows[3], StringComparison.Ordinal);
        Assert.EndsWith("| [`full/node.json`](full/node.json) |", rows[3], StringComparison.Ordinal);
    }

    [Fact]
    public void A_target_that_nobody_reaches_is_said_so()
    {
        string list = ResultsList.Of([With(run => run with { Knee = null, Proved = null, Target = new TuneTarget(0.999, 1) })]);
        Assert.Contains("| no answer: server CPU | – | – | – | – | out of reach | – |", list, StringComparison.Ordinal);
        Assert.Contains("(misses the target)", list, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_runs_of_this_version_the_readme_stays_and_the_list_is_made()
    {
        (string name, string text) = Assert.Single(ReadmeFiles.Made(s_empty, s_empty, [With(run => run with { Version = 1 })]));
        Assert.Equal("tuner/results/README.md", name);
        Assert.Contains("older run", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_picture_is_a_file_of_its_own_with_its_size_its_style_and_nothing_from_elsewhere()
    {
        string text = ReadmeFiles.Made(s_empty, s_empty, [Run()]).Single(made => made.Name == "docs/pictures/throughput.svg").Text;
        XElement picture = XDocument.Parse(text).Root!;
        Assert.Equal("http://www.w3.org/2000/svg", picture.Name.NamespaceName);
        Assert.Equal("530", picture.Attribute("width")?.Value);
        Assert.Contains("prefers-color-scheme: dark", text, StringComparison.Ordinal);
        Assert.DoesNotContain("url(", text, StringComparison.Ordinal);
        Assert.DoesNotContain("href", text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_table_replaces_what_stands_between_the_markers_and_nothing_else()
    {
        string readme = $"before\n{ReadmePart.Begin}\nold\n{ReadmePart.End}\nafter\n";
        string once = ReadmePart.Put(readme, "| new |\n");
        Assert.Equal($"before\n{ReadmePart.Begin}\n| new |\n{ReadmePart.End}\nafter\n", once);
        Assert.Equal("| new |\n", ReadmePart.In(once));
        Assert.Equal(once, ReadmePart.Put(once, "| new |\n"));
    }

    [Theory]
    [InlineData("nothing")]
    [InlineData(ReadmePart.End + ReadmePart.Begin)]
    [InlineData(ReadmePart.Begin + ReadmePart.Begin + ReadmePart.End)]
    public void A_readme_without_its_markers_is_refused(string readme) => Assert.Throws<FormatException>(() => ReadmePart.Put(readme, "| new |\n"));

    private static string[] Rows(string text) => [.. text.Split('\n').Where(line => line.StartsWith('|'))];

    private static CommittedRun With(Func<TuneRun, TuneRun> change) => new("full/dotnet.json", change(SampleRun.Make()));

    private static CommittedRun Run(
        string language = "dotnet",
        double limitUs = 5_000,
        double speed = 1,
        string transport = "pipeline",
        string network = "loopback")
    {
        TuneRun run = SampleRun.Make(language, speed);
        return new($"full/{language}.json", run with
        {
            Target = run.Target with { LimitUs = limitUs },
            Client = run.Client with { Transport = transport, Network = network },
        });
    }
}
