using System.Diagnostics;
using System.Net.Http.Json;
using System.Text.Json.Nodes;

namespace Larder.Report.Tests.Browsers;

/// <summary>A headless Chromium with a profile of its own, driven over its DevTools protocol: no package is needed for that.</summary>
internal sealed class Browser : IAsyncDisposable
{
    /// <summary>Where Debian's package puts it.</summary>
    public const string Path = "/usr/bin/chromium";

    /// <summary>A start takes a second or two; on a busy machine many.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly DirectoryInfo _profile;
    private readonly Uri _address;

    private Browser(Process process, DirectoryInfo profile, Uri address) => (_process, _profile, _address) = (process, profile, address);

    /// <summary>Starts it; ports are the system's choice, on loopback.</summary>
    public static async Task<Browser> StartAsync()
    {
        DirectoryInfo profile = Directory.CreateTempSubdirectory("larder-browser-");
        Process process = Process.Start(new ProcessStartInfo(Path)
        {
            ArgumentList =
            {
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
                $"--user-data-dir={profile.FullName}",
                "about:blank",
            },
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        })!;
        var listening = new TaskCompletionSource<Uri>(TaskCreationOptions.RunContinuationsAsynchronously);
        process.ErrorDataReceived += (_, line) =>
        {
            if (line.Data is null)
            {
                listening.TrySetException(new InvalidOperationException("Chromium ended before it listened"));
            }
            else if (line.Data.IndexOf("ws://", StringComparison.Ordinal) is >= 0 and var at)
            {
                listening.TrySetResult(new Uri(line.Data[at..].Trim()));
            }
        };
        process.BeginErrorReadLine();
        process.BeginOutputReadLine();
        return new Browser(process, profile, await listening.Task.WaitAsync(s_patience));
    }

    /// <summary>Opens an empty tab.</summary>
    public async Task<BrowserPage> OpenAsync()
    {
        using var http = new HttpClient();
        using HttpResponseMessage answer = await http.PutAsync(new Uri($"http://{_address.Authority}/json/new?about:blank"), null);
        JsonObject? tab = await answer.Content.ReadFromJsonAsync<JsonObject>();
        return await BrowserPage.ConnectAsync(new Uri((string)tab!["webSocketDebuggerUrl"]!));
    }

    public async ValueTask DisposeAsync()
    {
        _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync();
        _process.Dispose();
        try
        {
            _profile.Delete(recursive: true);
        }
        catch (IOException)
        {
            // One of its children may still write for a moment; the folder is in /tmp.
        }
    }
}
