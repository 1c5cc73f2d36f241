using System.Text.Json.Nodes;
using Larder.Harness.Browsers;
using Larder.Report.Compare;
using Larder.Report.Page;
using Larder.Report.Runs;
using Larder.Report.Tests.Browsers;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests.Page;

/// <summary>Checks the pages in a real browser. No texts may overlap, at any width, in both colour schemes and in print.</summary>
[Collection(SharedBrowser.Name)]
public sealed class LayoutInBrowserTests(SharedBrowser browser)
{
    /// <summary>The width of an A4 page without its 1.5 cm margins, in CSS pixels.</summary>
    private const int Paper = 680;

    private static readonly int[] s_widths = [360, 640, 820, 1_280, 1_920];

    [BrowserFact]
    public Task Report_of_sample_run_has_no_overlapping_texts() => LookAsync(RunReport.Of(SampleRun.Make()));

    [BrowserFact]
    public Task Report_of_largest_run_has_no_overlapping_texts() => LookAsync(RunReport.Of(LargestRun.Make()));

    [BrowserFact]
    public Task Report_of_real_run_has_no_overlapping_texts() => LookAsync(RunReport.Of(RealRun.Read()));

    [BrowserFact]
    public Task Report_of_noisy_run_without_result_has_no_overlapping_texts()
    {
        TuneRun run = SampleRun.Make();
        return LookAsync(RunReport.Of(run with
        {
            Proved = null,
            Recommendation = null,
            Rates = [.. run.Rates.Select(step => step with { Measured = step.Measured with { Noisy = true } })],
        }));
    }

    [BrowserFact]
    public Task Comparison_of_two_runs_has_no_overlapping_texts() =>
        LookAsync(CompareReport.Of(SampleRun.Make(), SampleRun.Make(speed: 1.05), "a.json", "b.json", ["processor: one / another"]));

    [BrowserFact]
    public Task Overlay_of_six_runs_has_no_overlapping_texts() => LookAsync(
        OverlayReport.Of([.. Enumerable.Range(0, 6).Select(i => ($"a-rather-long-name-of-run-{i}.json", SampleRun.Make(speed: 1 + (0.02 * i))))]));

    private async Task LookAsync(string html)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-layout-");
        try
        {
            string file = System.IO.Path.Combine(folder.FullName, "report.html");
            await File.WriteAllTextAsync(file, html);
            await using BrowserPage page = await browser.OpenAsync();
            // The colours do not change the layout, so one width is enough for the dark colours.
            foreach ((int width, bool dark) in s_widths.Select(static width => (width, false)).Append((s_widths[^1], true)))
            {
                await page.GoAsync(new Uri(file), width, dark: dark);
                await AssertReadAsync(page, $"{width} px, {(dark ? "dark" : "light")}");
            }

            await page.GoAsync(new Uri(file), Paper);
            await page.AskAsync("Emulation.setEmulatedMedia", new() { ["media"] = "print" });
            await page.EvaluateAsync("dispatchEvent(new Event('beforeprint'))");
            await AssertReadAsync(page, "print");
            Assert.Empty(page.ConsoleErrors);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task AssertReadAsync(BrowserPage page, string where)
    {
        JsonNode seen = (await page.EvaluateAsync(Look))!;
        Assert.True((int)seen["texts"]! > 50, $"{where}: {seen["texts"]} texts");
        Assert.True(seen["over"]!.AsArray().Count == 0, $"{where}: {seen["over"]!.ToJsonString()}");
        Assert.False((bool)seen["sideways"]!, $"{where}: the page is wider than it may be");
        Assert.True((double)seen["contrast"]! >= 3, $"{where}: a contrast of {seen["contrast"]}");
    }

    /// <summary>
    /// Returns the boxes of the visible parts of all texts. Text that a scroll container clips is ignored, and an overlap of half a pixel is allowed.
    /// </summary>
    private const string Look = """
        (() => {
          const texts = [];
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const owner = node.parentElement;
            if (!node.data.trim() || owner.closest('script, style, title, desc') || !owner.checkVisibility()) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            const svg = owner.closest('svg');
            for (const box of svg ? [owner.getBoundingClientRect()] : range.getClientRects()) {
              let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
              for (let around = owner; around; around = around.parentElement) {
                if (around.tagName === 'BODY' || getComputedStyle(around).overflowX === 'visible' || around.closest('svg')) continue;
                const edge = around.getBoundingClientRect();
                [left, top, right, bottom] = [Math.max(left, edge.left), Math.max(top, edge.top), Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
              }
              if (right - left > 1 && bottom - top > 1) texts.push({ left, top, right, bottom, text: node.data.trim().slice(0, 40) });
            }
          }
          texts.sort((a, b) => a.top - b.top);
          const over = [];
          for (let i = 0; i < texts.length; i++) {
            for (let j = i + 1; j < texts.length && texts[j].top < texts[i].bottom - 0.5; j++) {
              const [a, b] = [texts[i], texts[j]];
              if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2) {
                over.push(`${a.text} / ${b.text} at ${Math.round(a.left)},${Math.round(a.top)}`);
              }
            }
          }
          const light = (color) => {
            const [r, g, b] = color.match(/[\d.]+/g).map((part) => Number(part) / 255)
              .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const ground = light(getComputedStyle(document.querySelector('figure')).backgroundColor);
          const ratios = [...document.querySelectorAll('svg text')].map((text) => light(getComputedStyle(text).fill))
            .map((ink) => (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05));
          return { texts: texts.length, over: over.slice(0, 8), sideways: document.documentElement.scrollWidth > innerWidth, contrast: Math.min(...ratios) };
        })()
        """;
}
