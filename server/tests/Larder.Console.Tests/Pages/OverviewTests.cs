using Google.Protobuf;
using Larder.Console.Tests.Browsers;
using Larder.Console.Tests.Servers;
using Larder.Protocol;

namespace Larder.Console.Tests.Pages;

[Collection(ConsoleTests.Name)]
public sealed class OverviewTests(LoadedServer server)
{
    [Fact]
    public async Task Overview_shows_live_statistics_and_charts()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Full);
        await page.WaitAsync("document.querySelector('#state').textContent === 'Ready'");
        await page.WaitAsync("[...document.querySelectorAll('.tiles dd')].every((tile) => tile.textContent !== '–')");
        await page.WaitAsync("document.querySelectorAll('figure path').length === 7");
        await page.WaitAsync("[...document.querySelectorAll('figure path')].every((line) => line.getAttribute('d').includes('L'))");
        await page.WaitForTextAsync("Estimated hit ratio with twice the memory");
        await page.WaitForTextAsync(Load.HotKey);
        string text = await page.TextAsync();
        Assert.Contains("larder-python:0.1.0", text, StringComparison.Ordinal);
        Assert.Contains("Python", text, StringComparison.Ordinal);
        Assert.Contains("memory was full", text, StringComparison.Ordinal);
        foreach (string table in (string[])["Calls of the last 10 s by rpc", "Connections by client", "Most requested keys", "Slowest calls"])
        {
            Assert.True((bool?)await page.EvaluateAsync(
                $"[...document.querySelectorAll('table')].some((one) => one.caption.textContent === '{table}' && one.tBodies[0].rows.length > 0)"), table);
        }

        await page.WaitAsync("document.querySelector('figure path').getAttribute('d').split('L').length > 8");
        await Picture.TakeAsync(page, "overview");
        page.AssertClean();
    }

    [Fact]
    public async Task Pause_button_is_marked_pressed_and_resumes_polling_when_released()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console);
        await page.WaitAsync("document.querySelector('#state').textContent === 'Ready'");
        await page.ClickAsync("Pause");
        Assert.Equal("true", (string?)await page.EvaluateAsync("document.querySelector('#pause').ariaPressed"));
        int asked = page.Tab.Requests.Count;
        await page.ClickAsync("Pause");
        await page.WaitAsync("performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/overview')).length > 2");
        Assert.True(page.Tab.Requests.Count > asked);
        page.AssertClean();
    }

    [Fact]
    public async Task Chart_is_available_as_table()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console);
        await page.WaitAsync("document.querySelectorAll('figure path[d*=L]').length > 0");
        await page.ClickAsync("Show as table");
        await page.WaitAsync("document.querySelector('figure details tbody').rows.length > 1");
        Assert.Contains("Calls per second", (string)(await page.EvaluateAsync("document.querySelector('figure svg').ariaLabel"))!, StringComparison.Ordinal);
        page.AssertClean();
    }

    [Theory]
    [InlineData(360)]
    [InlineData(400)]
    [InlineData(719)]
    [InlineData(720)]
    [InlineData(859)]
    [InlineData(860)]
    [InlineData(1100)]
    [InlineData(1300)]
    [InlineData(1699)]
    [InlineData(1700)]
    [InlineData(1920)]
    public async Task Tiles_and_charts_fill_complete_rows_at_any_width(int width)
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console, width: width);
        await page.WaitAsync("document.querySelectorAll('figure path[d*=L]').length > 4");
        string rows = (string)(await page.EvaluateAsync(
            """
            [...document.querySelectorAll('.tiles, .charts, .columns')].filter((grid) => grid.checkVisibility()).map((grid) => {
              const tops = [...grid.children].map((child) => Math.round(child.getBoundingClientRect().top));
              return [...new Set(tops)].map((top) => tops.filter((one) => one === top).length).join('/');
            }).join(' ')
            """))!;
        Assert.All(rows.Split(' '), grid => Assert.Single(grid.Split('/').Distinct()));
        Assert.Equal("11", (string?)await page.EvaluateAsync(
            """
            [...new Set([...document.querySelectorAll('figure svg')].map((svg) =>
              Math.round(10 * Number.parseFloat(getComputedStyle(svg.querySelector('text')).fontSize) * svg.getScreenCTM().a) / 10))].join()
            """));
        page.AssertClean();
    }

    [Fact]
    public async Task Idle_RPCs_are_listed_below_busy_ones()
    {
        await server.Load.CallAsync<DeleteResponse>("Delete", new DeleteRequest { Key = ByteString.CopyFromUtf8("x") });
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console);
        const string Rates = "[...[...document.querySelectorAll('table')].find((one) => one.caption.textContent.includes('by rpc')).tBodies[0].rows]"
            + ".map((row) => Number(row.cells[2].textContent.replaceAll(',', '')) > 0)";
        await page.WaitAsync($"{Rates}.includes(true) && {Rates}.includes(false)");
        Assert.True((bool?)await page.EvaluateAsync($"(() => {{ const busy = {Rates}; return !busy.slice(busy.indexOf(false)).includes(true); }})()"));
        page.AssertClean();
    }
}
