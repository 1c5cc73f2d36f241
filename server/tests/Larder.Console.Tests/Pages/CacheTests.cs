using System.Text;
using Larder.Console.Tests.Browsers;
using Larder.Console.Tests.Servers;

namespace Larder.Console.Tests.Pages;

[Collection(ConsoleTests.Name)]
public sealed class CacheTests(LoadedServer server)
{
    [Fact]
    public async Task Caches_page_creates_flushes_and_deletes_cache_after_confirmation()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console, "caches");
        await page.WaitAsync("!document.body.classList.contains('read-only')");
        await page.TypeAsync("#new-cache", "mine");
        await page.PressAsync("Enter");
        await page.WaitForTextAsync("Created cache mine");
        await page.WaitAsync(Row("mine"));
        await server.Load.SetAsync("k"u8.ToArray(), "v"u8.ToArray(), cache: "mine");
        await page.WaitAsync($"{Row("mine")}.cells[1].textContent === '1'");

        await page.ClickAsync("Flush mine");
        await page.WaitAsync("document.querySelector('dialog[open]')");
        Assert.Equal("Cancel", await page.FocusAsync());
        await page.ClickAsync("Cancel", "dialog");
        await page.WaitAsync("!document.querySelector('dialog')");
        Assert.Equal("1", (string?)await page.EvaluateAsync($"{Row("mine")}.cells[1].textContent"));
        await page.ClickAsync("Flush mine");
        await page.ClickAsync("Flush", "dialog");
        await page.WaitForTextAsync("Flushed cache mine");
        await page.WaitAsync($"{Row("mine")}.cells[1].textContent === '0'");

        await page.ClickAsync("Delete mine");
        await page.WaitAsync("document.querySelector('dialog[open]')");
        await page.PressAsync("Escape");
        await page.WaitAsync("!document.querySelector('dialog')");
        Assert.Equal("Delete mine", await page.FocusAsync());
        await page.ClickAsync("Delete mine");
        await page.ClickAsync("Delete", "dialog");
        await page.WaitForTextAsync("Deleted cache mine");
        await page.WaitAsync($"!{Row("mine")}");
        page.AssertClean();
    }

    [Fact]
    public async Task Creating_existing_cache_shows_an_error()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console, "caches");
        await page.WaitAsync("!document.body.classList.contains('read-only')");
        await page.TypeAsync("#new-cache", "cache");
        await page.ClickAsync("Create");
        await page.WaitForTextAsync("Failed: cache 'cache' already exists");
        page.AssertClean("409 (Conflict)");
    }

    [Fact]
    public async Task Creating_cache_with_quota_rejects_too_small_quota()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console, "caches");
        await page.WaitAsync("!document.body.classList.contains('read-only')");
        await page.TypeAsync("#new-cache", "bounded");
        await page.TypeAsync("#new-quota", "2");
        await page.ClickAsync("Create");
        await page.WaitForTextAsync("Failed: the quota must be 0 (no quota) or at least 10000384 bytes");
        await page.TypeAsync("#new-quota", "16");
        await page.ClickAsync("Create");
        await page.WaitForTextAsync("Created cache bounded");
        await page.WaitAsync($"{Row("bounded")}?.cells[3].textContent === '16 MiB'");
        page.AssertClean("400 (Bad Request)");
    }

    [Theory]
    [InlineData("<script>document.title='hacked'</script>")]
    [InlineData("<img src=x onerror=\"document.title='hacked'\">")]
    [InlineData("a\u202eelpmis\u0007")]
    [InlineData("__proto__")]
    public async Task A3_hostile_cache_name_is_shown_as_text(string name)
    {
        await server.Load.MakeCacheAsync(name);
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console, "caches");
        string shown = name.Replace("\u202e", "\\u{202e}", StringComparison.Ordinal).Replace("\u0007", "\\u{7}", StringComparison.Ordinal);
        await page.WaitAsync(Row(shown));
        await page.ClickAsync($"Delete {shown}");
        await page.WaitForTextAsync($"Delete {shown}?");
        await page.ClickAsync("Delete", "dialog");
        await page.WaitAsync($"!{Row(shown)}");
        Assert.Equal("Caches – Larder console", (string?)await page.EvaluateAsync("document.title"));
        Assert.Equal(0, (int?)await page.EvaluateAsync("document.querySelectorAll('img, main script').length"));
        page.AssertClean();
    }

    private static string Row(string name) =>
        $"[...document.querySelectorAll('main tbody tr')].find((row) => row.cells[0].textContent === {System.Text.Json.JsonSerializer.Serialize(name)})";
}
