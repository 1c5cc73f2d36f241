using Larder.Client.Tests.Support;
using Larder.Testing;

namespace Larder.Client.Tests.Hosting;

/// <summary>Tests ASP.NET Core's output cache with a server, over HTTP.</summary>
public sealed class OutputCacheTests
{
    [Fact]
    public async Task Page_rendered_by_one_site_is_served_by_all_sites()
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        await using WebSite first = await WebSite.StartAsync(server.Url);
        await using WebSite second = await WebSite.StartAsync(server.Url);
        foreach (string path in (string[])["/plain", "/news/1", "/news/2", "/shop", "/query?q=a", "/query?q=b"])
        {
            string page = await first.GetAsync(path);
            Assert.Equal(page, await first.GetAsync(path));
            Assert.Equal(page, await second.GetAsync(path));
        }

        Assert.Equal((6, 0), (first.Made, second.Made));
    }

    [Fact]
    public async Task EvictByTag_removes_matching_pages_at_every_site()
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        await using WebSite first = await WebSite.StartAsync(server.Url);
        await using WebSite second = await WebSite.StartAsync(server.Url);
        string one = await first.GetAsync("/news/1");
        string two = await first.GetAsync("/news/2");
        string shop = await first.GetAsync("/shop");
        string plain = await first.GetAsync("/plain");
        Assert.Equal(one, await second.GetAsync("/news/1"));

        Assert.True(await second.EvictAsync("news"));
        Assert.NotEqual(one, await first.GetAsync("/news/1"));
        Assert.NotEqual(two, await second.GetAsync("/news/2"));
        Assert.Equal(await first.GetAsync("/news/1"), await second.GetAsync("/news/1"));
        Assert.Equal(shop, await second.GetAsync("/shop"));

        Assert.True(await first.EvictAsync("all"));
        Assert.NotEqual(shop, await second.GetAsync("/shop"));
        Assert.Equal(plain, await second.GetAsync("/plain"));
        Assert.True(await first.EvictAsync("never-used"));
    }

    [Fact]
    public async Task Page_over_the_server_limit_is_served_but_not_stored()
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        await using WebSite site = await WebSite.StartAsync(server.Url);
        foreach ((int bytes, bool isKept) in ((int, bool)[])[(1_000_000, true), (5_000_192, false), (50_000_000, false)])
        {
            int before = site.Made;
            Assert.Equal(bytes, (await site.GetAsync($"/large/{bytes}")).Length);
            Assert.Equal(bytes, (await site.GetAsync($"/large/{bytes}")).Length);
            Assert.Equal(before + (isKept ? 1 : 2), site.Made);
        }
    }

    [Theory]
    [InlineData("news", true)]
    [InlineData("all", false)]
    public async Task Page_rendered_during_eviction_of_its_tag_is_not_stored(string evicted, bool isMadeAnew)
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        await using WebSite first = await WebSite.StartAsync(server.Url);
        await using WebSite second = await WebSite.StartAsync(server.Url);
        await second.GetAsync("/news/1");
        Task<string> slow = first.GetAsync("/slow");
        await first.IsSlow.Task.WaitAsync(Eventually.Limit);
        Assert.True(await second.EvictAsync(evicted));
        first.CanContinue.SetResult();
        Assert.Equal("slow 1", await slow);
        Assert.Equal(isMadeAnew ? "slow 2" : "slow 1", await first.GetAsync("/slow"));
        Assert.Equal(await first.GetAsync("/slow"), await first.GetAsync("/slow"));
    }

    [Fact]
    public async Task Site_without_cache_server_serves_pages_and_reports_failed_eviction()
    {
        LarderTestServer server = await LarderTestServer.StartAsync();
        await using WebSite site = await WebSite.StartAsync(server.Url, TimeSpan.FromSeconds(2));
        string page = await site.GetAsync("/news/1");
        Assert.Equal(page, await site.GetAsync("/news/1"));
        await server.DisposeAsync();
        Assert.NotEqual(page, await site.GetAsync("/news/1"));
        Assert.InRange(site.Store.FailedOpen, 2, long.MaxValue);
        Assert.False(await site.EvictAsync("news"));
    }
}
