using System.Xml.Linq;
using Larder.Report.Readme;
using Larder.Report.Runs;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests.Readme;

public sealed class ResultsTableTests
{
    private static readonly string s_empty = $"{ReadmePart.Begin}\n{ReadmePart.End}";

    [Fact]
    public void Row_shows_both_targets_and_ratio_to_peer()
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
    public void Table_has_at_most_eight_rows(int times, int most)
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
        Assert.InRange(rows.Length, 1, ResultsTable.MaxRows);
        Assert.InRange(rows.Count(row => row.Contains(" ms |", StringComparison.Ordinal) && !row.Contains("loopback", StringComparison.Ordinal)), 0, 2);
    }

    [Fact]
    public void Row_shows_confirmed_rate_or_limiting_factor()
    {
        Assert.Contains("| no answer: server CPU | – |", Rows(ResultsTable.Of([With(run => run with { Proved = null })]))[2], StringComparison.Ordinal);
        Assert.Contains("| no answer | – |", Rows(ResultsTable.Of([With(run => run with { Proved = null, Rates = [] })]))[2], StringComparison.Ordinal);
    }

    [Fact]
    public void Disturbed_runs_are_listed_in_one_sentence()
    {
        Assert.DoesNotContain("disturbed", ResultsTable.Of([Run()]), StringComparison.Ordinal);
        Assert.Contains(
            "Disturbed by other programs: .NET, pipeline below 5 ms.",
            ResultsTable.Of([With(run => run with { Rates = [.. run.Rates.Select(step => step with { Measured = step.Measured with { Noisy = true } })] })]),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Newest_run_replaces_older_runs_of_same_target()
    {
        CommittedRun old = With(run => run with { Machine = run.Machine with { Date = run.Machine.Date.AddDays(-1) } });
        Assert.Equal(ResultsTable.Of([Run(speed: 2)]), ResultsTable.Of([Run(speed: 2), old]));
        Assert.Equal("", ResultsTable.Of([With(run => run with { Version = 1 })]));
    }

    [Fact]
    public void List_contains_every_run_and_marks_older_runs()
    {
        string[] rows = Rows(ResultsList.Of([Run("node", network: "1 ms"), With(run => run with { Version = 1, Proved = null, Rates = [] })]));
        Assert.Equal(4, rows.Length);
        Assert.Contains("| older run | – |", rows[2], StringComparison.Ordinal);
        Assert.StartsWith("| Node, pipeline, 1 ms | p99.9 < 5 ms | 60,000 | 5 |", rows[3], StringComparison.Ordinal);
        Assert.EndsWith("| [`full/node.json`](full/node.json) |", rows[3], StringComparison.Ordinal);
    }

    [Fact]
    public void Unreachable_target_is_marked()
    {
        string list = ResultsList.Of([With(run => run with { Knee = null, Proved = null, Target = new TuneTarget(0.999, 1) })]);
        Assert.Contains("| no answer: server CPU | – | – | – | – | out of reach | – |", list, StringComparison.Ordinal);
        Assert.Contains("(misses the target)", list, StringComparison.Ordinal);
    }

    [Fact]
    public void Readme_is_unchanged_without_runs_of_current_version()
    {
        (string name, string text) = Assert.Single(ReadmeFiles.Made(s_empty, s_empty, [With(run => run with { Version = 1 })]));
        Assert.Equal("tuner/results/README.md", name);
        Assert.Contains("older run", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Picture_is_self_contained_SVG_file()
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
    public void Put_replaces_only_text_between_markers()
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
    public void Put_rejects_readme_without_markers(string readme) => Assert.Throws<FormatException>(() => ReadmePart.Put(readme, "| new |\n"));

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
