using System.Text.Json.Nodes;
using Larder.Console.Tests.Browsers;
using Larder.Console.Tests.Servers;

namespace Larder.Console.Tests.Pages;

/// <summary>Tests of the layout of the page, and of its use with a keyboard.</summary>
[Collection(ConsoleTests.Name)]
public sealed class PageLayoutTests(LoadedServer server)
{
    [Theory]
    [InlineData("overview")]
    [InlineData("caches")]
    [InlineData("keys")]
    [InlineData("topics")]
    [InlineData("fleet")]
    [InlineData("access")]
    public async Task View_fits_360_to_1920_pixels_and_is_legible(string view)
    {
        await using ConsolePage page = await OpenFullAsync(view);
        foreach (bool dark in (bool[])[false, true])
        {
            foreach (int width in (int[])[360, 400, 768, 1100, 1280, 1300, 1920])
            {
                await page.ResizeAsync(width, dark);
                Assert.True((int)(await page.EvaluateAsync("document.documentElement.scrollWidth"))! <= width, $"{view} at {width}: {await WidestAsync(page)}");
            }

            await Contrast.AssertLegibleAsync(page);
        }

        if (view is "caches" or "keys")
        {
            await Picture.TakeAsync(page, view);
        }

        page.AssertClean();
    }

    [Theory]
    [InlineData("overview")]
    [InlineData("caches")]
    [InlineData("keys")]
    [InlineData("topics")]
    [InlineData("fleet")]
    [InlineData("access")]
    public async Task View_has_landmarks_and_accessible_names(string view)
    {
        await using ConsolePage page = await OpenFullAsync(view);
        JsonNode tree = await page.Tab.AskAsync("Accessibility.getFullAXTree");
        var nodes = tree["nodes"]!.AsArray()
            .Where(node => (bool?)node!["ignored"] != true)
            .Select(node => (Role: (string?)node!["role"]?["value"] ?? "", Name: ((string?)node["name"]?["value"] ?? "").Trim()))
            .ToList();
        foreach (string landmark in (string[])["banner", "navigation", "main", "status"])
        {
            Assert.Contains(nodes, node => node.Role == landmark);
        }

        string[] named =
        [
            "button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "image", "table", "region", "meter", "dialog", "navigation",
            "DisclosureTriangle",
        ];
        Assert.True(nodes.Count(node => named.Contains(node.Role)) > 6);
        Assert.DoesNotContain(nodes, node => named.Contains(node.Role) && node.Name.Length == 0);
        Assert.Equal("1,2", (string?)await page.EvaluateAsync("[...document.querySelectorAll('h1, h2')].map((one) => one.tagName[1]).join()"));
        Assert.Equal("en", (string?)await page.EvaluateAsync("document.documentElement.lang"));
        Assert.Equal("[]", (string?)await page.EvaluateAsync(
            "JSON.stringify([...document.querySelectorAll('[id]')].map(({ id }) => id).filter((id, at, all) => all.indexOf(id) !== at))"));
    }

    [Fact]
    public async Task Console_is_usable_by_keyboard_with_visible_focus()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console);
        await page.WaitAsync("document.querySelector('#state').textContent === 'Ready'");
        await page.PressAsync("Tab");
        Assert.Equal("Skip to content", await page.FocusAsync());
        List<string> walked = [];
        for (int step = 0; step < 40; step++)
        {
            await page.PressAsync("Tab");
            walked.Add(await page.FocusAsync());
            Assert.True(
                (bool?)await page.EvaluateAsync(
                    "document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle === 'solid'"),
                $"the focus on {walked[^1]} is not seen");
            if ((bool?)await page.EvaluateAsync("document.activeElement === document.body") == true)
            {
                break;
            }
        }

        Assert.Equal(["Overview", "Caches", "Keys", "Topics", "Fleet", "Access", "Pause"], walked.Take(7));
        Assert.Contains("Show as table", walked);
        Assert.Contains("Connections by client", walked);

        // Opens the caches view, and then creates, flushes and deletes a cache with the keyboard.
        await page.EvaluateAsync("document.querySelector('.skip').focus()");
        await page.PressAsync("Tab");
        await page.PressAsync("Tab");
        await page.PressAsync("Enter");
        await page.WaitAsync("document.querySelector('main h2').textContent === 'Caches'");
        Assert.Equal("main", (string?)await page.EvaluateAsync("document.activeElement.id"));
        await page.PressAsync("Tab");
        Assert.Equal("new-cache", await page.FocusAsync());
        await page.Tab.AskAsync("Input.insertText", new() { ["text"] = "by-keys" });
        await page.PressAsync("Enter");
        await page.WaitForTextAsync("Created cache by-keys");
        await page.WaitAsync("[...document.querySelectorAll('button')].some(({ ariaLabel }) => ariaLabel === 'Delete by-keys')");
        await TabToAsync(page, "Delete by-keys");
        await page.PressAsync("Enter");
        await page.WaitAsync("document.querySelector('dialog[open]')");
        Assert.Equal("Cancel", await page.FocusAsync());
        await page.PressAsync("Tab");
        Assert.Equal("Delete", await page.FocusAsync());
        await page.PressAsync("Space");
        await page.WaitForTextAsync("Deleted cache by-keys");
        page.AssertClean();
    }

    [Fact]
    public async Task Automatic_refresh_keeps_keyboard_focus()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console, "caches");
        await page.WaitAsync("[...document.querySelectorAll('button')].some(({ ariaLabel }) => ariaLabel === 'Flush cache')");
        await TabToAsync(page, "Flush cache");
        int read = (int)(await page.EvaluateAsync("performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/caches')).length"))!;
        await page.WaitAsync($"performance.getEntriesByType('resource').filter(({{ name }}) => name.endsWith('/api/caches')).length > {read + 1}");
        Assert.Equal("Flush cache", await page.FocusAsync());
    }

    private static async Task<string> WidestAsync(ConsolePage page) => (string)(await page.EvaluateAsync(
        "JSON.stringify([...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 "
            + "&& !one.closest('.frame, .skip')).slice(0, 5).map((one) => one.outerHTML.slice(0, 120)))"))!;

    private static async Task TabToAsync(ConsolePage page, string name)
    {
        for (int step = 0; step < 80 && await page.FocusAsync() != name; step++)
        {
            await page.PressAsync("Tab");
        }

        Assert.Equal(name, await page.FocusAsync());
    }

    private async Task<ConsolePage> OpenFullAsync(string view)
    {
        ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console, view);
        await page.WaitAsync("document.querySelector('#state').textContent === 'Ready' && !document.body.classList.contains('read-only')");
        await page.WaitAsync(view switch
        {
            "overview" => "document.querySelectorAll('figure path[d*=L]').length > 4 && document.querySelectorAll('tbody tr').length > 8",
            "caches" => "document.querySelectorAll('main tbody tr').length > 0",
            "keys" => "document.querySelector('#keys-cache').options.length > 0",
            _ => "document.querySelector('main p').textContent !== ''",
        });
        if (view == "keys")
        {
            await page.TypeAsync("#keys-prefix", Load.HotKey);
            await page.ClickAsync("Find");
            await page.ClickAsync(Load.HotKey);
            await page.WaitAsync("document.querySelector('pre').textContent !== ''");
        }

        return page;
    }
}
