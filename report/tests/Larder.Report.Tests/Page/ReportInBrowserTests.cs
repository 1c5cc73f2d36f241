using System.Text.Json.Nodes;
using Larder.Harness.Browsers;
using Larder.Report.Compare;
using Larder.Report.Page;
using Larder.Report.Runs;
using Larder.Report.Tests.Browsers;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests.Page;

[Collection(SharedBrowser.Name)]
public sealed class ReportInBrowserTests(SharedBrowser browser)
{
    private static readonly string[] s_graphs =
    [
        "throughput",
        "latency",
        "curve",
        "rates",
        "answered",
        "stalls",
        "percentiles",
        "heat",
        "server",
        "channel-throughput",
        "channel-latency",
        "adaptive-throughput",
        "adaptive-latency",
    ];

    [BrowserFact]
    public Task Page_draws_every_graph_and_makes_no_network_requests() => LookAsync(RunReport.Of(SampleRun.Make()), s_graphs, mustFit: true);

    [BrowserFact]
    public async Task External_text_is_never_interpreted_as_markup()
    {
        const string Hostile = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">'\"&";
        TuneRun run = SampleRun.Make();
        run = run with
        {
            Command = Hostile,
            Machine = run.Machine with { Cpu = Hostile, System = Hostile, Commit = Hostile },
            Client = run.Client with { Version = Hostile, Runtime = Hostile, Transport = Hostile, Server = Hostile, Network = Hostile },
            Workload = run.Workload with { Name = Hostile, Trace = Hostile, Values = Hostile },
            Knee = run.Knee! with { Why = Hostile },
            Search = [.. run.Search.Select(rung => rung with { Verdict = new StepVerdict(StepLimit.Unknown, Hostile) })],
            Channels = [.. run.Channels.Select(row => row with { Variant = Hostile })],
            Adaptive = [.. run.Adaptive.Select(row => row with { Scenario = Hostile, Cap = Hostile })],
            Timeline = [.. run.Timeline.Select(slice => slice with { Step = Hostile })],
            Peers = [.. run.Peers.Select(peer => peer with { Name = Hostile })],
            Rates = [.. run.Rates.Select(step => step with { Miss = Hostile, Verdict = new StepVerdict(StepLimit.Unknown, Hostile) })],
            Assertions = [new Assertion(Hostile, Hostile, false)],
            Notes = [Hostile],
        };
        JsonNode page = await LookAsync(RunReport.Of(run), s_graphs);
        Assert.DoesNotContain("owned", (string)page["title"]!.AsArray()[0]!, StringComparison.Ordinal);
        Assert.Equal(0, (int)page["images"]!);
        Assert.Equal(1, (int)page["scripts"]!);
    }

    [BrowserFact]
    public Task Page_of_real_run_draws_all_its_graphs() =>
        LookAsync(
            RunReport.Of(RealRun.Read()),
            ["throughput", "latency", "curve", "percentiles", "heat", "server"],
            mustFit: true);

    [BrowserFact]
    public async Task Comparison_page_draws_its_graphs()
    {
        (TuneRun? a, TuneRun? b) = (SampleRun.Make(), SampleRun.Make(speed: 2));
        await LookAsync(CompareReport.Of(a, b, "a.json", "b.json", ["processor: one / another"]), ["rates", "throughput", "latency", "curve", "percentiles"]);
    }

    [BrowserFact]
    public Task Page_of_run_without_knee_and_result_draws_its_graphs() =>
        LookAsync(
            RunReport.Of(
                SampleRun.Make() with
                {
                    Knee = null,
                    Proved = null,
                    Rates = [],
                    Timeline = [],
                    Channels = [],
                    Adaptive = [],
                    Peers = [],
                    Recommendation = null,
                }),
            ["throughput", "latency", "curve", "server"]);

    /// <summary>
    /// Opens the report. Asserts that it contains exactly these graphs, and that each graph has visible lines or bars, a title and a table. Also asserts that
    /// the browser logged no errors and fetched nothing.
    /// </summary>
    private async Task<JsonNode> LookAsync(string html, string[] graphs, bool mustFit = false)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-report-");
        try
        {
            string file = Path.Combine(folder.FullName, "report.html");
            await File.WriteAllTextAsync(file, html);
            await using BrowserPage page = await browser.OpenAsync();
            await page.GoAsync(new Uri(file));
            JsonNode seen = (await page.EvaluateAsync(Look))!;
            Assert.Equal(graphs.Order(), seen["graphs"]!.AsArray().Select(graph => (string)graph!["id"]!).Order());
            foreach (JsonNode? graph in seen["graphs"]!.AsArray())
            {
                string name = (string)graph!["id"]!;
                Assert.True((double)graph["width"]! > 300 && (double)graph["height"]! > 60, $"{name} has no size");
                Assert.True((int)graph["drawn"]! > 0, $"{name} is empty");
                Assert.False((bool)graph["odd"]!, $"{name} holds NaN or infinity");
                Assert.True((int)graph["rows"]! > 0, $"{name} has no table");
                Assert.True(((string)graph["title"]!).Length > 5 && ((string)graph["text"]!).Length > 20, $"{name} has no title or description");
            }

            Assert.Equal(0, (int)seen["duplicateIds"]!);
            Assert.False((bool)seen["scrollsSideways"]!);
            if (mustFit)
            {
                Assert.InRange((int)seen["width"]!, 1000, 1280);
                Assert.Empty(seen["cut"]!.AsArray());
            }

            Assert.Empty(page.ConsoleErrors);
            Assert.All(
                page.Requests,
                address =>
                    Assert.True(address.StartsWith("file://", StringComparison.Ordinal) || address.StartsWith("data:", StringComparison.Ordinal), address));
            return seen;
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private const string Look = """
        ({
          title: [document.title, document.querySelector('h1').textContent].filter((text) => text === 'owned').concat(['']),
          images: document.images.length,
          scripts: document.scripts.length,
          duplicateIds: [...document.querySelectorAll('[id]')].length - new Set([...document.querySelectorAll('[id]')].map((one) => one.id)).size,
          width: innerWidth,
          cut: [...document.querySelectorAll('.panel.scroll')].filter((panel) => panel.scrollWidth > panel.clientWidth)
            .map((panel) => panel.getAttribute('aria-label') + ' ' + panel.scrollWidth + ' ' + panel.clientWidth),
          scrollsSideways: document.documentElement.scrollWidth > innerWidth,
          graphs: [...document.querySelectorAll('figure')].map((figure) => {
            const svg = figure.querySelector('svg');
            const box = svg.getBoundingClientRect();
            return {
              id: figure.id, width: box.width, height: box.height, odd: /NaN|Infinity|∞/.test(svg.outerHTML),
              drawn: [...svg.querySelectorAll('.line, .bar, .heat')].filter((one) => one.getBBox().width > 1 || one.getBBox().height > 1).length,
              rows: figure.querySelectorAll('tbody tr').length,
              title: svg.querySelector('title').textContent, text: svg.querySelector('desc').textContent,
            };
          }),
        })
        """;
}
