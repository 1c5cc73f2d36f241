using Larder.Console.Tests.Browsers;
using Larder.Console.Tests.Servers;
using Larder.Harness.Browsers;
using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Server.Tests.Faults;

namespace Larder.Console.Tests.Pages;

[Collection(ConsoleTests.Name)]
public sealed class ConsoleSecurityTests(LoadedServer server)
{
    private const string Reader = "a-reader's-token";
    private const string Admin = "an-admin's-token";

    // While the server is down, requests fail. The restarted server rejects the CSRF token of the first server once; the page then requests another.
    private static readonly string[] s_restartErrors = ["ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "403 (Forbidden)"];

    [Fact]
    public async Task A1_non_loopback_console_accepts_changes_only_with_admin_token()
    {
        using ServerProcess beyond = await StartAsync(withAdmin: true);
        Uri console = new($"http://127.0.0.1:{beyond.Console.Port}");
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, console, "caches");
        await page.WaitForTextAsync("This console needs a token.");
        Assert.Equal("Token required", await page.TextAsync("#state"));
        await EnterTokenAsync(page, "wrong");
        await page.WaitForTextAsync("The token is wrong");
        Assert.Equal("Wrong token", await page.TextAsync("#state"));
        Assert.DoesNotContain("needs a token", await page.TextAsync("body"), StringComparison.Ordinal);
        await EnterTokenAsync(page, Reader);
        await page.WaitForTextAsync("It only shows statistics");
        await page.WaitForTextAsync("Enter the admin token to create, flush or delete caches.");
        await page.WaitAsync("document.querySelector('main tbody tr') !== null");
        Assert.False((bool?)await page.EvaluateAsync("[...document.querySelectorAll('.acting')].some((one) => one.checkVisibility())"));
        await page.ViewAsync("keys");
        await page.WaitForTextAsync("Enter the admin token to see keys and values.");
        await page.ViewAsync("overview");
        await page.WaitForTextAsync("Enter the admin token to see keys.");

        await page.ViewAsync("caches");
        await page.ClickAsync("Token");
        await EnterTokenAsync(page, Admin);
        await page.WaitAsync("!document.body.classList.contains('read-only')");
        await page.TypeAsync("#new-cache", "made");
        await page.ClickAsync("Create");
        await page.WaitForTextAsync("Created cache made");
        Assert.Equal(0, (int?)await page.EvaluateAsync("localStorage.length"));
        Assert.Equal("", (string?)await page.EvaluateAsync("document.cookie"));

        // The token is not available in another tab.
        await using ConsolePage other = await ConsolePage.OpenAsync(server.Browser, console);
        await other.WaitForTextAsync("This console needs a token.");

        // A hidden tab sends no requests, so bring the first tab to the front.
        await page.Tab.AskAsync("Page.bringToFront");
        await page.ClickAsync("Token");
        await page.ClickAsync("Forget token", "dialog");
        await page.WaitForTextAsync("This console needs a token.");
        page.AssertClean("401 (Unauthorized)");
    }

    [Fact]
    public async Task A1_non_loopback_console_without_admin_token_is_read_only()
    {
        using ServerProcess beyond = await StartAsync(withAdmin: false);
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, new Uri($"http://127.0.0.1:{beyond.Console.Port}"), "caches");
        await page.WaitForTextAsync("This console needs a token.");
        await EnterTokenAsync(page, Reader);
        await page.WaitForTextAsync("This console is read-only");
        string status = (string)(await page.EvaluateAsync(
            $$"""
            fetch('/api/session', { headers: { Authorization: 'Bearer {{Reader.Replace("'", "\\'", StringComparison.Ordinal)}}' } })
              .then((answer) => answer.json())
              .then(({ csrf }) => fetch('/api/caches', { method: 'DELETE', body: '{"cache":"cache"}', headers: {
                'Content-Type': 'application/json', 'Larder-CSRF': csrf, Authorization: 'Bearer {{Reader.Replace("'", "\\'", StringComparison.Ordinal)}}' } }))
              .then(async (answer) => `${answer.status} ${await answer.text()}`)
            """))!;
        Assert.StartsWith("403 ", status, StringComparison.Ordinal);
        Assert.Contains("read-only", status, StringComparison.Ordinal);
        page.AssertClean("401 (Unauthorized)", "403 (Forbidden)");
    }

    [Fact]
    public async Task A3_other_site_cannot_read_change_or_embed_the_console()
    {
        Uri console = server.Console;
        using ForeignSite site = new(
            $$"""
            <!doctype html><title>theirs</title><iframe src="{{console}}"></iframe>
            <form method="post" enctype="text/plain" action="{{console}}api/caches" target="aim"><input name='{"cache":"theirs","x":"' value='"}'></form>
            <iframe name="aim"></iframe>
            <script>
              const json = { 'Content-Type': 'application/json', 'Larder-CSRF': 'x' };
              const tries = [
                ['{{console}}api/session', {}],
                ['{{console}}api/session', { mode: 'no-cors' }],
                ['{{console}}api/caches', { method: 'POST', mode: 'no-cors', body: '{"cache":"theirs"}' }],
                ['{{console}}api/caches', { method: 'POST', headers: json, body: '{"cache":"theirs"}' }],
                ['{{console}}api/caches', { method: 'DELETE', headers: json, body: '{"cache":"cache"}' }],
                ['{{console}}stats', {}],
              ];
              document.forms[0].submit();
              Promise.all(tries.map(([url, how]) => fetch(url, how).then(async (answer) => answer.type + (await answer.text()), () => 'failed')))
                .then((ended) => { window.ended = ended; });
            </script>
            """);
        await using BrowserPage tab = await server.Browser.OpenAsync();
        await tab.GoAsync(site.Address);
        await Until.TrueAsync(async () => (bool?)await tab.EvaluateAsync("window.ended !== undefined") == true, "their page has tried");
        Assert.Equal("failed,failed,failed,failed,failed,failed", (string?)await tab.EvaluateAsync("window.ended.join()"));
        Assert.Contains(tab.ConsoleErrors, complaint => complaint.Contains("frame-ancestors", StringComparison.Ordinal));

        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, console, "caches");
        await page.WaitAsync("document.querySelector('main tbody tr') !== null");
        Assert.DoesNotContain("theirs", await page.TextAsync(), StringComparison.Ordinal);
        Assert.Contains("cache", await page.TextAsync("main table"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A3_request_for_unknown_host_name_is_rejected()
    {
        await using BrowserPage tab = await server.Browser.OpenAsync();
        // Chromium resolves every subdomain of localhost to this machine. In a DNS rebinding attack, the attacker's host name also resolves to this machine.
        await tab.GoAsync(new Uri($"http://evil.localhost:{server.Console.Port}/"));
        Assert.Contains("--console-name", (string)(await tab.EvaluateAsync("document.body.innerText"))!, StringComparison.Ordinal);
        Assert.Equal(403, (int?)await tab.EvaluateAsync("fetch('/api/session').then(({ status }) => status)"));
    }

    [Theory]
    [InlineData("csrf", "x", 403)]
    [InlineData("csrf", "", 403)]
    [InlineData("type", "text/plain", 415)]
    public async Task A3_request_without_valid_CSRF_token_and_content_type_is_rejected(string what, string value, int status)
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console);
        int told = (int)(await page.EvaluateAsync(
            $$"""
            fetch('/api/session').then((answer) => answer.json()).then(({ csrf }) => fetch('/api/caches', {
              method: 'POST', body: '{"cache":"theirs"}', headers: {
                'Content-Type': '{{what}}' === 'type' ? '{{value}}' : 'application/json', 'Larder-CSRF': '{{what}}' === 'csrf' ? '{{value}}' : csrf },
            })).then((answer) => answer.status)
            """))!;
        Assert.Equal(status, told);
    }

    [Fact]
    public async Task A3_content_security_policy_blocks_injected_script_and_markup()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console);
        await page.EvaluateAsync(
            "(() => { const s = document.createElement('div'); document.body.append(s); "
                + "try { s.setAttribute('onclick', \"document.title='hacked'\"); } catch { } s.click(); })()");
        Assert.True((bool?)await page.EvaluateAsync("(() => { try { document.body.innerHTML = '<b>x</b>'; return false; } catch { return true; } })()"));
        Assert.Equal("failed", (string?)await page.EvaluateAsync("fetch('http://127.0.0.1:1/').then(() => 'sent', () => 'failed')"));
        Assert.Equal("Overview – Larder console", (string?)await page.EvaluateAsync("document.title"));
        Assert.Contains(page.Tab.ConsoleErrors, complaint => complaint.Contains("Content Security Policy", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Console_reports_lost_server_and_recovers_after_server_restart()
    {
        using ServerProcess first = await ServerProcess.StartAsync();
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, first.Console, "caches");
        await page.WaitAsync("document.querySelector('#state').textContent === 'Ready'");
        first.Signal(Signals.Kill);
        await page.WaitAsync("document.querySelector('#state').textContent === 'The server is unreachable; check that it is running'");
        using ServerProcess second = await ServerProcess.StartAsync("--console-port", $"{first.Console.Port}");
        await page.WaitAsync("document.querySelector('#state').textContent === 'Ready'");
        await page.TypeAsync("#new-cache", "after");
        await page.ClickAsync("Create");
        await page.WaitForTextAsync("Created cache after");
        page.AssertClean(s_restartErrors);
    }

    [Theory]
    [InlineData("overview", 400)]
    [InlineData("overview", 1300)]
    [InlineData("keys", 400)]
    public async Task Lost_server_notice_stays_visible_until_server_restarts(string view, int width)
    {
        using ServerProcess first = await ServerProcess.StartAsync();
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, first.Console, view, width);
        await page.WaitAsync("document.querySelector('#state').textContent === 'Ready'");
        Assert.False((bool?)await page.EvaluateAsync("document.querySelector('#notice').checkVisibility()"));
        first.Signal(Signals.Kill);
        await page.WaitAsync(
            "document.querySelector('#notice').innerText.startsWith('The server is unreachable; check that it is running. The figures are from ')");

        // The notice stays visible even if the page is scrolled.
        await page.EvaluateAsync("document.querySelector('main').style.minHeight = '4000px', document.documentElement.style.scrollBehavior = 'auto'");
        await page.EvaluateAsync("scrollTo(0, 3000)");
        await page.WaitAsync("scrollY > 2000");
        Assert.Equal(0, (int?)await page.EvaluateAsync("Math.round(document.querySelector('#notice').getBoundingClientRect().top)"));
        using ServerProcess second = await ServerProcess.StartAsync("--console-port", $"{first.Console.Port}");
        await page.WaitAsync("!document.querySelector('#notice').checkVisibility()");
        page.AssertClean(s_restartErrors);
    }

    [Fact]
    public async Task Console_distinguishes_replaced_token_from_wrong_token()
    {
        string file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(file, Reader);
            using ServerProcess served = await ServerProcess.StartAsync("--console-token-file", file);
            await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, served.Console);
            await page.WaitForTextAsync("This console needs a token.");
            await EnterTokenAsync(page, Reader);
            await page.WaitAsync("document.querySelector('#state').textContent === 'Ready'");
            await File.WriteAllTextAsync(file, "another-token-than-before");
            served.Signal(Signals.HangUp);
            await page.WaitForTextAsync("The server no longer accepts the token");
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static Task<ServerProcess> StartAsync(bool withAdmin) => ServerProcess.StartAsync(new ServerProcessOptions
    {
        Environment = new Dictionary<string, string?> { ["LARDER_CONSOLE_TOKEN"] = Reader, ["LARDER_CONSOLE_ADMIN_TOKEN"] = withAdmin ? Admin : null },
        Arguments = ["--console-host", "0.0.0.0"],
    });

    private static async Task EnterTokenAsync(ConsolePage page, string token)
    {
        await page.TypeAsync("#token-input", token);
        await page.PressAsync("Enter");
        await page.WaitAsync($"document.querySelector('#token-input')?.value !== {System.Text.Json.JsonSerializer.Serialize(token)}");
    }
}
