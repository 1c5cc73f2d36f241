using System.Collections.Concurrent;
using System.Net.WebSockets;
using System.Text.Json.Nodes;
using Larder.Harness.Processes;

namespace Larder.Harness.Browsers;

/// <summary>A tab of a browser. It loads pages, runs scripts, takes screenshots, and records the page's network requests and error messages.</summary>
public sealed class BrowserPage : IAsyncDisposable
{
    private readonly ClientWebSocket _socket = new();
    private readonly ConcurrentDictionary<int, TaskCompletionSource<JsonNode>> _asked = new();
    private readonly ConcurrentQueue<string> _consoleErrors = new();
    private readonly ConcurrentQueue<string> _requests = new();
    private TaskCompletionSource _loaded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _reading = Task.CompletedTask;
    private int _lastId;

    private BrowserPage()
    {
    }

    /// <summary>Gets the errors and warnings recorded so far: console messages, violations of the content security policy, and uncaught exceptions.</summary>
    public IReadOnlyCollection<string> ConsoleErrors => _consoleErrors;

    /// <summary>Gets the URLs that the tab has requested so far.</summary>
    public IReadOnlyCollection<string> Requests => _requests;

    /// <summary>Connects to a tab through the tab's DevTools address.</summary>
    public static async Task<BrowserPage> ConnectAsync(Uri tab)
    {
        var page = new BrowserPage();
        await page._socket.ConnectAsync(tab, CancellationToken.None).ConfigureAwait(false);
        page._reading = page.ReadAsync();
        foreach (string? domain in new[] { "Page", "Runtime", "Log", "Network" })
        {
            await page.AskAsync($"{domain}.enable").ConfigureAwait(false);
        }

        // Only one tab of a browser has the focus. Without this setting, :focus would match nothing in all other tabs.
        await page.AskAsync("Emulation.setFocusEmulationEnabled", new() { ["enabled"] = true }).ConfigureAwait(false);
        return page;
    }

    /// <summary>Loads a URL and waits until the page is completely loaded.</summary>
    public async Task GoAsync(Uri address, int width = 1240, int height = 900, bool dark = false)
    {
        await AskAsync(
            "Emulation.setDeviceMetricsOverride",
            new()
            {
                ["width"] = width,
                ["height"] = height,
                ["deviceScaleFactor"] = 1,
                ["mobile"] = false,
            }).ConfigureAwait(false);
        var scheme = new JsonObject { ["name"] = "prefers-color-scheme", ["value"] = dark ? "dark" : "light" };
        await AskAsync("Emulation.setEmulatedMedia", new() { ["features"] = new JsonArray(scheme) }).ConfigureAwait(false);
        _loaded = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await AskAsync("Page.navigate", new() { ["url"] = address.AbsoluteUri }).ConfigureAwait(false);
        await _loaded.Task.WaitAsync(ChildProcess.Patience).ConfigureAwait(false);
    }

    /// <summary>Evaluates an expression in the page and returns its value.</summary>
    public async Task<JsonNode?> EvaluateAsync(string expression)
    {
        var arguments = new JsonObject { ["expression"] = expression, ["returnByValue"] = true, ["awaitPromise"] = true };
        JsonNode answer = await AskAsync("Runtime.evaluate", arguments).ConfigureAwait(false);
        return answer["exceptionDetails"] is { } thrown ? throw new HarnessException($"{expression}: {thrown}") : answer["result"]!["value"];
    }

    /// <summary>Takes a PNG screenshot of the first element that matches the selector, or of the visible page if the selector is null.</summary>
    public async Task<byte[]> PictureAsync(string? selector = null, double margin = 12)
    {
        var arguments = new JsonObject { ["format"] = "png", ["captureBeyondViewport"] = selector is not null };
        if (selector is not null)
        {
            JsonNode? box = await EvaluateAsync(
                $"(() => {{ const b = document.querySelector('{selector}').getBoundingClientRect(); return [b.left + scrollX, b.top + scrollY, b.width, "
                    + $"b.height]; }})()").ConfigureAwait(false);
            arguments["clip"] = new JsonObject
            {
                ["x"] = Math.Max(0, (double)box![0]! - margin),
                ["y"] = Math.Max(0, (double)box[1]! - margin),
                ["width"] = (double)box[2]! + (2 * margin),
                ["height"] = (double)box[3]! + (2 * margin),
                ["scale"] = 1,
            };
        }

        return Convert.FromBase64String((string)(await AskAsync("Page.captureScreenshot", arguments).ConfigureAwait(false))["data"]!);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _socket.Abort();
        await _reading.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _socket.Dispose();
    }

    /// <summary>Calls a method of the DevTools protocol and returns the result of the method.</summary>
    public async Task<JsonNode> AskAsync(string method, JsonObject? arguments = null)
    {
        int id = Interlocked.Increment(ref _lastId);
        TaskCompletionSource<JsonNode> answer = _asked[id] = new TaskCompletionSource<JsonNode>(TaskCreationOptions.RunContinuationsAsynchronously);
        var request = new JsonObject { ["id"] = id, ["method"] = method, ["params"] = arguments ?? [] };
        await _socket.SendAsync(System.Text.Encoding.UTF8.GetBytes(request.ToJsonString()), WebSocketMessageType.Text, true, CancellationToken.None)
            .ConfigureAwait(false);
        return await answer.Task.WaitAsync(ChildProcess.Patience).ConfigureAwait(false);
    }

    private async Task ReadAsync()
    {
        byte[] buffer = new byte[1 << 16];
        while (true)
        {
            using var message = new MemoryStream();
            ValueWebSocketReceiveResult part;
            do
            {
                part = await _socket.ReceiveAsync(buffer.AsMemory(), CancellationToken.None).ConfigureAwait(false);
                message.Write(buffer, 0, part.Count);
            }
            while (!part.EndOfMessage);
            Take(JsonNode.Parse(message.ToArray())!);
        }
    }

    private void Take(JsonNode message)
    {
        if ((int?)message["id"] is { } id && _asked.TryRemove(id, out TaskCompletionSource<JsonNode>? asked))
        {
            if (message["error"] is { } error)
            {
                asked.SetException(new HarnessException(error.ToJsonString()));
            }
            else
            {
                asked.SetResult(message["result"]!);
            }

            return;
        }

        JsonNode? arguments = message["params"];
        switch ((string?)message["method"])
        {
            case "Page.loadEventFired":
                _loaded.TrySetResult();
                break;
            case "Network.requestWillBeSent":
                _requests.Enqueue((string)arguments!["request"]!["url"]!);
                break;
            case "Runtime.exceptionThrown":
                _consoleErrors.Enqueue(arguments!["exceptionDetails"]!.ToJsonString());
                break;
            case "Runtime.consoleAPICalled" when (string?)arguments!["type"] is "error" or "warning" or "assert":
                _consoleErrors.Enqueue(arguments["args"]!.ToJsonString());
                break;
            case "Log.entryAdded" when (string?)arguments!["entry"]!["level"] is "error" or "warning":
                _consoleErrors.Enqueue(arguments["entry"]!.ToJsonString());
                break;
        }
    }
}
