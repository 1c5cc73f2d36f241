using System.Net.Http.Json;
using System.Text.Json.Nodes;
using Larder.Harness.Processes;

namespace Larder.Harness.Browsers;

/// <summary>
/// A headless Chromium with its own profile, controlled through the DevTools protocol. This protocol can be used without an additional package.
/// </summary>
public sealed class Browser : IAsyncDisposable
{
    /// <summary>The path at which Debian's package installs the executable.</summary>
    public const string Path = "/usr/bin/chromium";

    private const string Socket = "ws://";

    private readonly DirectoryInfo _profile = Directory.CreateTempSubdirectory("larder-browser-");
    private readonly ChildProcess _process;

    private Browser()
    {
        string[] words =
        [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--window-size=1280,900",
            "--remote-debugging-port=0",
            $"--user-data-dir={_profile.FullName}",
            "about:blank",
        ];
        _process = ChildProcess.Start(new ProgramCommand("Chromium", Path, words));
    }

    /// <summary>Starts the browser on a free loopback port.</summary>
    /// <exception cref="HarnessException">Chromium is not installed, or ended before it listened.</exception>
    public static async Task<Browser> StartAsync()
    {
        var browser = new Browser();
        await browser._process.UntilLoggedAsync(Socket).ConfigureAwait(false);
        return browser;
    }

    /// <summary>Opens an empty tab.</summary>
    public async Task<BrowserPage> OpenAsync()
    {
        string log = _process.Log;
        var address = new Uri(log[log.IndexOf(Socket, StringComparison.Ordinal)..].Split('\n')[0].Trim());
        using var http = new HttpClient();
        using HttpResponseMessage answer = await http.PutAsync(new Uri($"http://{address.Authority}/json/new?about:blank"), null).ConfigureAwait(false);
        JsonObject? tab = await answer.Content.ReadFromJsonAsync<JsonObject>().ConfigureAwait(false);
        return await BrowserPage.ConnectAsync(new Uri((string)tab!["webSocketDebuggerUrl"]!)).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        _process.Dispose();
        try
        {
            _profile.Delete(recursive: true);
        }
        catch (IOException)
        {
            // A child process of the browser may still be writing to the folder. The folder can stay, because it is in /tmp.
        }

        return ValueTask.CompletedTask;
    }
}
