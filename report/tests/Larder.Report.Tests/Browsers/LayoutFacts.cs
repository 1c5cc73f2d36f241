using System.Text.Json.Nodes;
using Larder.Harness.Browsers;

namespace Larder.Report.Tests.Browsers;

/// <summary>Asserts layout properties of a report that can be measured in a browser.</summary>
internal static class LayoutFacts
{
    // The style sets a font size of 12 px, but graphs can be scaled slightly down or up.
    private const double MinText = 10;
    private const double MaxText = 15;
    private const int MinTicks = 3;

    /// <summary>
    /// Asserts that rows of tiles and graphs are full. Also checks the text size of the graphs, their number of ticks, and the width of the page.
    /// </summary>
    public static async Task AssertAsync(BrowserPage page, int width)
    {
        JsonNode seen = (await page.EvaluateAsync(Look))!;
        Assert.False((bool)seen["scrollsSideways"]!, $"{width}: the page is wider than its window");
        Assert.All(seen["grids"]!.AsArray(), grid => Assert.True((bool)grid!["isFull"]!, $"{width}: a row of {grid["name"]} is not full: {grid["rows"]}"));
        Assert.NotEmpty(seen["graphs"]!.AsArray());
        Assert.All(seen["graphs"]!.AsArray(), graph =>
        {
            Assert.InRange((double)graph!["text"]!, MinText, MaxText);
            Assert.True((int)graph["x"]! is 0 or >= MinTicks, $"{width}: {graph["id"]} has {graph["x"]} ticks below");
            Assert.True((int)graph["y"]! is 0 or >= MinTicks, $"{width}: {graph["id"]} has {graph["y"]} ticks at its side");
        });
    }

    // A script that measures the layout. Bar graphs have no ticks. The cells of a row must fill the width of their grid.
    private const string Look = """
        ({
          scrollsSideways: document.documentElement.scrollWidth > innerWidth,
          grids: [...document.querySelectorAll('.tiles, .figures')].map((grid) => {
            const rows = new Map();
            for (const cell of grid.children) {
              const box = cell.getBoundingClientRect();
              rows.set(Math.round(box.top), [...(rows.get(Math.round(box.top)) ?? []), box]);
            }
            const all = [...rows.values()];
            return {
              name: grid.className,
              rows: all.map((row) => row.length).join('/'),
              isFull: all.every((row) => grid.getBoundingClientRect().right - row.at(-1).right < 3),
            };
          }),
          graphs: [...document.querySelectorAll('svg.graph')].map((svg) => ({
            id: svg.closest('figure').id,
            text: 12 * svg.getScreenCTM().a,
            x: svg.querySelectorAll('.ticks text[text-anchor=middle]').length,
            y: svg.querySelectorAll('.ticks text[text-anchor=end]').length,
          })),
        })
        """;
}
