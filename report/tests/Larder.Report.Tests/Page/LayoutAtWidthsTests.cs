using Larder.Harness.Browsers;
using Larder.Report.Compare;
using Larder.Report.Page;
using Larder.Report.Runs;
using Larder.Report.Tests.Browsers;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests.Page;

/// <summary>Checks measured layout properties at the widths of a phone, a small window and a typical window.</summary>
[Collection(SharedBrowser.Name)]
public sealed class LayoutAtWidthsTests(SharedBrowser browser)
{
    private static readonly int[] s_widths = [400, 1_100, 1_300];

    [BrowserFact]
    public Task Run_with_result_has_valid_layout() => AssertLayoutAsync(RunReport.Of(SampleRun.Make()));

    [BrowserFact]
    public Task Real_run_has_valid_layout() => AssertLayoutAsync(RunReport.Of(RealRun.Read()));

    [BrowserFact]
    public Task Largest_run_has_valid_layout() => AssertLayoutAsync(RunReport.Of(LargestRun.Make()));

    [BrowserFact]
    public Task Run_without_result_has_valid_layout() => AssertLayoutAsync(RunReport.Of(SampleRun.Make() with { Proved = null, Recommendation = null }));

    [BrowserFact]
    public Task Run_with_similar_rates_has_valid_layout()
    {
        TuneRun run = SampleRun.Make();
        RateStep[] near = [.. run.Rates.Select((step, index) => step with { RatePerSecond = 510_000 + (20_000 * index) })];
        return AssertLayoutAsync(RunReport.Of(run with { Rates = near }));
    }

    [BrowserFact]
    public Task Run_without_stall_data_has_valid_layout()
    {
        TuneRun run = SampleRun.Make();
        return AssertLayoutAsync(RunReport.Of(run with { Rates = [.. run.Rates.Select(step => step with { StallShareOfTail = null })] }));
    }

    [BrowserFact]
    public Task Compared_runs_have_valid_layout() => AssertLayoutAsync(CompareReport.Of(SampleRun.Make(), SampleRun.Make(speed: 1.05), "a.json", "b.json", []));

    [BrowserFact]
    public Task Overlay_of_runs_has_valid_layout() =>
        AssertLayoutAsync(OverlayReport.Of([.. Enumerable.Range(0, 3).Select(index => ($"run-{index}.json", SampleRun.Make(speed: 1 + (0.02 * index))))]));

    private async Task AssertLayoutAsync(string html)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-layout-");
        try
        {
            string file = Path.Combine(folder.FullName, "report.html");
            await File.WriteAllTextAsync(file, html);
            await using BrowserPage page = await browser.OpenAsync();
            foreach (int width in s_widths)
            {
                await page.GoAsync(new Uri(file), width);
                await LayoutFacts.AssertAsync(page, width);
            }
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
