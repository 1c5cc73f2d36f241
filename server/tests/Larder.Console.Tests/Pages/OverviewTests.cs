using Larder.Console.Tests.Browsers;
using Larder.Console.Tests.Servers;

namespace Larder.Console.Tests.Pages;

[Collection(ConsoleTests.Name)]
public sealed class OverviewTests(LoadedServer server)
{
    [Fact]
    public async Task It_shows_what_the_server_does_while_it_does_it()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Full);
        await page.WaitAsync("document.querySelector('#state').textContent === 'Ready'");
        await page.WaitAsync("[...document.querySelectorAll('.tiles dd')].every((tile) => tile.textContent !== '–')");
        await page.WaitAsync("document.querySelectorAll('figure path').length === 7");
        await page.WaitAsync("[...document.querySelectorAll('figure path')].every((line) => line.getAttribute('d').includes('L'))");
        await page.WaitForTextAsync("Twice the memory would give");
        await page.WaitForTextAsync(Load.HotKey);
        string text = await page.TextAsync();
        Assert.Contains("larder-python:0.1.0", text, StringComparison.Ordinal);
        Assert.Contains("Python", text, StringComparison.Ordinal);
        Assert.Contains("memory was full", text, StringComparison.Ordinal);
        foreach (string table in (string[])["Calls of the last 10 s by rpc", "Connections by client", "Keys called most", "Slowest calls"])
        {
            Assert.True((bool?)await page.EvaluateAsync(
                $"[...document.querySelectorAll('table')].some((one) => one.caption.textContent === '{table}' && one.tBodies[0].rows.length > 0)"), table);
        }

        await page.WaitAsync("document.querySelector('figure path').getAttribute('d').split('L').length > 8");
        await Picture.TakeAsync(page, "overview");
        page.AssertClean();
    }

    [Fact]
    public async Task A_pause_stops_the_questions_and_ends_by_the_same_button()
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
    public async Task Each_chart_is_a_table_too()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console);
        await page.WaitAsync("document.querySelectorAll('figure path[d*=L]').length > 0");
        await page.ClickAsync("As a table");
        await page.WaitAsync("document.querySelector('figure details tbody').rows.length > 1");
        Assert.Contains("Calls a second", (string)(await page.EvaluateAsync("document.querySelector('figure svg').ariaLabel"))!, StringComparison.Ordinal);
        page.AssertClean();
    }
}
