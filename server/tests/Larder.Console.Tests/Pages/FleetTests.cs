using Larder.Console.Tests.Browsers;
using Larder.Console.Tests.Servers;
using Larder.Harness.Redis;
using Larder.Harness.Servers;

namespace Larder.Console.Tests.Pages;

[Collection(ConsoleTests.Name)]
public sealed class FleetTests(LoadedServer server)
{
    [Fact]
    public async Task Gateway_console_shows_cluster_nodes_and_a_killed_master()
    {
        using RedisCluster cluster = new(replicas: 1);
        using ServerProcess gateway = await ServerProcess.StartAsync("--store", cluster.Url);
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, gateway.Console, "fleet");
        await using (Load load = new(gateway.Endpoint))
        {
            await ShowsAsync(page);
        }

        cluster.Servers[1].Kill();
        await page.ViewAsync("fleet");
        await page.WaitAsync(
            "[...document.querySelectorAll('main tbody tr')].some(({ cells }) => cells[1]?.textContent === 'master' && cells[2].textContent !== 'connected')");
        page.AssertClean("503 (Service Unavailable)");
    }

    private static async Task ShowsAsync(ConsolePage page)
    {
        await page.WaitForTextAsync("16,384 of 16,384 slots have a master (100.0 %)");
        await page.WaitAsync("document.querySelectorAll('.map li').length === 3");
        await page.WaitAsync("document.querySelectorAll('main tbody tr').length >= 12");
        await page.WaitForTextAsync("standby");
        await page.WaitAsync("[...document.querySelectorAll('.map li')].some(({ textContent }) => textContent.includes('behind'))");
        await Picture.TakeAsync(page, "fleet");

        await page.ViewAsync("overview");
        await page.WaitForTextAsync("in the cluster");
        await page.WaitForTextAsync(Load.HotKey);
        await page.ViewAsync("caches");
        await page.TypeAsync("#new-cache", "of-the-fleet");
        await page.PressAsync("Enter");
        await page.WaitForTextAsync("Created cache of-the-fleet");
        await page.ClickAsync("Delete of-the-fleet");
        await page.ClickAsync("Delete", "dialog");
        await page.WaitForTextAsync("Deleted cache of-the-fleet");
        await page.ViewAsync("keys");
        await page.WaitAsync("document.querySelector('#keys-cache').options.length > 0");
        await page.TypeAsync("#keys-prefix", Load.HotKey);
        await page.ClickAsync("Find");
        await page.ClickAsync(Load.HotKey);
        await page.WaitForTextAsync("scalar, 25 B");
    }
}
