using System.Security.Cryptography;
using System.Text;
using Larder.Console.Tests.Browsers;
using Larder.Console.Tests.Servers;
using Larder.Harness.Servers;

namespace Larder.Console.Tests.Pages;

/// <summary>Tests of the view of tokens: their rights, their activity, and recent denials.</summary>
[Collection(ConsoleTests.Name)]
public sealed class AccessTests(LoadedServer server) : IDisposable
{
    private const string Ops = "the-token-of-ops";
    private const string Figures = "the-token-of-figures";

    private readonly string _folder = Directory.CreateTempSubdirectory("larder-console-access-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Access_page_shows_tokens_and_rejections_to_admin_without_secrets()
    {
        using ServerProcess served = await StartAsync();
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, served.Console, "access");
        await page.WaitForTextAsync("This console needs a token.");
        await EnterTokenAsync(page, Figures);
        await page.WaitForTextAsync("Enter the admin token to see tokens and permissions.");
        await page.ClickAsync("Token");
        await EnterTokenAsync(page, Ops);
        await page.WaitAsync($"{Row("ops")}?.cells[1].textContent === 'admin:*'");
        Assert.Equal("never", (string?)await page.EvaluateAsync($"{Row("ops")}.cells[2].textContent"));
        Assert.StartsWith("ended 2001-01-01", (string?)await page.EvaluateAsync($"{Row("old")}.cells[2].textContent"), StringComparison.Ordinal);
        Assert.Equal("not yet", (string?)await page.EvaluateAsync($"{Row("old")}.cells[5].textContent"));
        // Causes an authentication failure that the page must display.
        using (HttpClient http = new())
        {
            http.DefaultRequestHeaders.Authorization = new("Bearer", "a-wrong-token");
            using HttpResponseMessage refused = await http.GetAsync(new Uri(served.Console, "/stats"));
        }

        await page.WaitAsync($"{Row("unknown token")}?.cells[1].textContent === '127.0.0.1'");
        string text = await page.TextAsync();
        Assert.DoesNotContain("the-token-of", text, StringComparison.Ordinal);
        Assert.DoesNotContain("a-wrong-token", text, StringComparison.Ordinal);
        Assert.Equal(0, (int?)await page.EvaluateAsync("document.querySelectorAll('main button').length"));
        page.AssertClean("401 (Unauthorized)");
    }

    [Fact]
    public async Task Access_page_states_that_no_token_file_is_configured()
    {
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console, "access");
        await page.WaitForTextAsync("This server has no token file (--tokens).");
        page.AssertClean();
    }

    private static string Row(string first) =>
        $"[...document.querySelectorAll('main tbody tr')].find((row) => row.cells[0].textContent === {System.Text.Json.JsonSerializer.Serialize(first)})";

    private static string Entry(string id, string secret, string role, string more = "")
    {
        string digest = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(secret)));
        return $$"""{"id": "{{id}}", "sha256": ["{{digest}}"]{{more}}, "grants": [{"role": "{{role}}", "cache": "*"}]}""";
    }

    private static async Task EnterTokenAsync(ConsolePage page, string token)
    {
        await page.TypeAsync("#token-input", token);
        await page.PressAsync("Enter");
        await page.WaitAsync($"document.querySelector('#token-input')?.value !== {System.Text.Json.JsonSerializer.Serialize(token)}");
    }

    private Task<ServerProcess> StartAsync()
    {
        string path = Path.Combine(_folder, "tokens.json");
        string[] entries =
        [
            Entry("ops", Ops, "admin"), Entry("figures", Figures, "read"), Entry("old", "gone", "read", ", \"expires\": \"2001-01-01T00:00:00Z\""),
        ];
        File.WriteAllText(path, $$"""{"tokens": [{{string.Join(',', entries)}}]}""");
        return ServerProcess.StartAsync("--tokens", path);
    }
}
