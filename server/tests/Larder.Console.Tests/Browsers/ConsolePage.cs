using System.Text.Json.Nodes;
using Larder.Harness.Browsers;

namespace Larder.Console.Tests.Browsers;

/// <summary>A browser tab that shows the console. It waits for content, simulates mouse and keyboard input, and records errors.</summary>
internal sealed class ConsolePage(BrowserPage tab, Uri console) : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(25);

    public BrowserPage Tab => tab;

    /// <summary>Opens a tab on a view.</summary>
    public static async Task<ConsolePage> OpenAsync(Browser browser, Uri console, string view = "overview", int width = 1280, bool dark = false)
    {
        ConsolePage page = new(await browser.OpenAsync(), console);
        await page.GoAsync(view, width, dark);
        return page;
    }

    /// <summary>Opens a view by entering its address.</summary>
    public Task GoAsync(string view, int width = 1280, bool dark = false) => tab.GoAsync(new Uri(console, $"/#{view}"), width, dark: dark);

    /// <summary>Switches the open page to another view.</summary>
    public async Task ViewAsync(string view)
    {
        await tab.EvaluateAsync($"location.hash = '#{view}'");
        await WaitAsync($"document.querySelector('nav a[aria-current]')?.hash === '#{view}'");
    }

    /// <summary>Changes the width of the window and the colour scheme.</summary>
    public async Task ResizeAsync(int width, bool dark)
    {
        await tab.AskAsync(
            "Emulation.setDeviceMetricsOverride",
            new() { ["width"] = width, ["height"] = 900, ["deviceScaleFactor"] = 1, ["mobile"] = false });
        await tab.AskAsync(
            "Emulation.setEmulatedMedia",
            new() { ["features"] = new JsonArray(new JsonObject { ["name"] = "prefers-color-scheme", ["value"] = dark ? "dark" : "light" }) });
        await WaitAsync($"innerWidth === {width} && matchMedia('(prefers-color-scheme: dark)').matches === {(dark ? "true" : "false")}");
    }

    /// <summary>Returns the value of an expression in the page.</summary>
    public Task<JsonNode?> EvaluateAsync(string expression) => tab.EvaluateAsync(expression);

    /// <summary>Waits until an expression is true. Fails after 30 s.</summary>
    public async Task WaitAsync(string expression)
    {
        DateTime until = DateTime.UtcNow + s_patience;
        while ((bool?)await tab.EvaluateAsync($"Boolean({expression})") != true)
        {
            if (DateTime.UtcNow > until)
            {
                string shown = (string)(await tab.EvaluateAsync("document.body.innerText"))!;
                Assert.Fail($"never: {expression}; complaints: {string.Join(' ', tab.ConsoleErrors)}; the page shows: {shown}");
            }

            await Task.Delay(s_step);
        }
    }

    /// <summary>Waits until the page shows a text.</summary>
    public Task WaitForTextAsync(string text) => WaitAsync($"document.body.innerText.includes({Quoted(text)})");

    /// <summary>Returns the visible text of an element.</summary>
    public async Task<string> TextAsync(string selector = "main") =>
        (string)(await tab.EvaluateAsync($"document.querySelector({Quoted(selector)}).innerText"))!;

    /// <summary>Clicks the first button whose accessible name begins with <paramref name="name"/>.</summary>
    public async Task ClickAsync(string name, string within = "body")
    {
        string find = $"[...document.querySelectorAll({Quoted(within)} + ' :is(button, summary, a)')].find((one) => "
            + $"(one.ariaLabel ?? one.innerText).startsWith({Quoted(name)}) && !one.disabled && one.checkVisibility())";
        await WaitAsync($"{find} !== undefined");
        await tab.EvaluateAsync($"(() => {{ const found = {find}; found.focus(); found.click(); }})()");
    }

    /// <summary>Types into a field.</summary>
    public async Task TypeAsync(string selector, string text)
    {
        await WaitAsync($"document.querySelector({Quoted(selector)}) !== null");
        await tab.EvaluateAsync($"document.querySelector({Quoted(selector)}).focus(), document.querySelector({Quoted(selector)}).select?.()");
        await tab.AskAsync("Input.insertText", new() { ["text"] = text });
    }

    /// <summary>Presses a key: Tab, Enter, Escape, Space or ArrowRight.</summary>
    public async Task PressAsync(string key)
    {
        (string name, int code, string? text) = key switch
        {
            "Tab" => ("Tab", 9, null),
            "Enter" => ("Enter", 13, "\r"),
            "Escape" => ("Escape", 27, null),
            "Space" => (" ", 32, " "),
            "ArrowRight" => ("ArrowRight", 39, (string?)null),
            _ => throw new ArgumentOutOfRangeException(nameof(key), key, "no key that is known here"),
        };
        JsonObject Event(string type) => new()
        {
            ["type"] = type,
            ["key"] = name,
            ["code"] = key,
            ["windowsVirtualKeyCode"] = code,
        };
        JsonObject down = Event(text is null ? "rawKeyDown" : "keyDown");
        if (text is not null)
        {
            down["text"] = text;
        }

        await tab.AskAsync("Input.dispatchKeyEvent", down);
        await tab.AskAsync("Input.dispatchKeyEvent", Event("keyUp"));
    }

    /// <summary>Returns the accessible name of the focused element.</summary>
    public async Task<string> FocusAsync() =>
        (string)(await tab.EvaluateAsync("(document.activeElement.ariaLabel ?? document.activeElement.innerText ?? '').trim() || document.activeElement.id"))!;

    /// <summary>Asserts that the browser logged no unexpected errors and sent requests only to the server.</summary>
    /// <param name="expected">Texts of errors that are allowed.</param>
    public void AssertClean(params string[] expected)
    {
        string[] unexpected = [.. tab.ConsoleErrors.Where(error => !expected.Any(text => error.Contains(text, StringComparison.Ordinal)))];
        Assert.True(unexpected.Length == 0, $"The browser logged: {string.Join(' ', unexpected)}");
        Assert.All(tab.Requests, asked => Assert.StartsWith(console.GetLeftPart(UriPartial.Authority) + "/", asked, StringComparison.Ordinal));
    }

    public ValueTask DisposeAsync() => tab.DisposeAsync();

    private static string Quoted(string text) => JsonValue.Create(text).ToJsonString();
}
