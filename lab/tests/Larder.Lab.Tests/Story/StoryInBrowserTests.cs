using System.Text.Json.Nodes;
using Larder.Harness.Browsers;
using Larder.Lab.Story;
using Larder.Report.Tests.Browsers;

namespace Larder.Lab.Tests.Story;

public sealed class StoryInBrowserTests
{
    [BrowserFact]
    public async Task Page_draws_every_graph_at_every_width_without_network_requests()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-story-");
        try
        {
            await using Browser browser = await Browser.StartAsync();
            foreach (string client in new[] { "dotnet", "python", "node" })
            {
                StoryRun run = SampleStory.Make(
                    client,
                    load => SampleStory.Figures(load.Callers * 10, load.Callers * 20, load.Callers > 1_000 ? 0.2 : 0, load.Channels ?? 1));
                string file = Path.Combine(folder.FullName, client + ".html");
                await File.WriteAllTextAsync(file, StoryPage.Of(run));
                await using BrowserPage page = await browser.OpenAsync();
                foreach ((int width, bool dark) in new[] { (360, false), (1_240, true), (1_920, false) })
                {
                    await page.GoAsync(new Uri(file), width, dark: dark);
                    JsonNode seen = (await page.EvaluateAsync(Look))!;
                    Assert.Equal(
                        run.Steps.SelectMany(StoryGraphs.Of).Select(graph => graph.Id).Order(),
                        seen["graphs"]!.AsArray().Select(graph => (string)graph!["id"]!).Order());
                    Assert.All(seen["graphs"]!.AsArray(), graph => Assert.True((int)graph!["drawn"]! > 0 && !(bool)graph["odd"]!, $"{client} {graph["id"]}"));
                    Assert.False((bool)seen["scrollsSideways"]!, $"{client} at {width}");
                    Assert.Equal(0, (int)seen["duplicateIds"]!);
                }

                foreach (int width in new[] { 400, 1_100, 1_300 })
                {
                    await page.GoAsync(new Uri(file), width);
                    await LayoutFacts.AssertAsync(page, width);
                }

                Assert.Empty(page.ConsoleErrors);
                Assert.All(page.Requests, address => Assert.True(address.StartsWith("file://", StringComparison.Ordinal) || address == "data:,", address));
            }
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private const string Look = """
        ({
          duplicateIds: [...document.querySelectorAll('[id]')].length - new Set([...document.querySelectorAll('[id]')].map((one) => one.id)).size,
          scrollsSideways: document.documentElement.scrollWidth > innerWidth,
          graphs: [...document.querySelectorAll('figure')].map((figure) => ({
            id: figure.id, odd: /NaN|Infinity|∞/.test(figure.querySelector('svg').outerHTML),
            drawn: [...figure.querySelectorAll('svg .line, svg .bar')].filter((one) => one.getBBox().width > 0).length,
          })),
        })
        """;
}
