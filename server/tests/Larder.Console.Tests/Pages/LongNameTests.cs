using System.Security.Cryptography;
using System.Text;
using Google.Protobuf;
using Larder.Console.Tests.Browsers;
using Larder.Console.Tests.Servers;
using Larder.Harness.Servers;
using Larder.Protocol;
using Larder.Server.Tests;
using Larder.Wire;

namespace Larder.Console.Tests.Pages;

/// <summary>Tests of names of 255 characters and longer in every view.</summary>
[Collection(ConsoleTests.Name)]
public sealed class LongNameTests(LoadedServer server)
{
    private const string Secret = "the-token-of-ops-with-its-own-length";
    private static readonly int[] s_widths = [400, 1100, 1300];
    private static readonly string s_name = string.Concat(Enumerable.Repeat("abcdefghijklmnopqrstuvwxyz", 10))[..255];
    private static readonly string s_key = new('k', 1_000);

    [Theory]
    [InlineData("overview")]
    [InlineData("caches")]
    [InlineData("keys")]
    [InlineData("topics")]
    public async Task Long_names_do_not_break_layout(string view)
    {
        using ServerProcess served = await ServerProcess.StartAsync();
        await using Load load = new(served.Endpoint, keys: 1);
        await load.MakeCacheAsync(s_name);
        await load.SetAsync(Encoding.UTF8.GetBytes(s_key), "v"u8.ToArray(), cache: s_name);
        await load.Channel.UnaryAsync(
            new RpcMethod<IMessage, PublishResponse>("/cache_client.pubsub.Pubsub/Publish", new AnyMessageCodec(), new ProtobufCodec<PublishResponse>()),
            new PublishRequest { CacheName = s_name, Topic = s_name, Value = new TopicValue { Text = "a" } },
            RpcHeaders.Empty,
            TimeSpan.FromSeconds(20),
            CancellationToken.None);
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, served.Console, view);
        if (view == "keys")
        {
            await page.WaitAsync("document.querySelector('#keys-cache').options.length > 2");
            await page.EvaluateAsync($"document.querySelector('#keys-cache').value = '{s_name}'");
            await page.ClickAsync("Find");
            await page.ClickAsync("kkk");
            await page.WaitAsync("document.querySelector('pre').textContent === 'v'");
        }

        await AssertLayoutAsync(page, view == "keys" ? s_key[..128] : s_name);
        if (view == "caches")
        {
            // The dialog's buttons must be within the window.
            await page.ResizeAsync(400, dark: false);
            await page.ClickAsync($"Delete {s_name}");
            await page.WaitAsync("document.querySelector('dialog[open]')");
            Assert.True((bool?)await page.EvaluateAsync(
                "[...document.querySelectorAll('dialog button')].every((one) => one.getBoundingClientRect().bottom <= innerHeight)"));
            await page.ClickAsync("Cancel", "dialog");
        }

        page.AssertClean();
    }

    [Fact]
    public async Task Long_token_ids_and_grants_do_not_break_layout()
    {
        string path = Path.GetTempFileName();
        try
        {
            string digest = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(Secret)));
            string other = Convert.ToHexStringLower(SHA256.HashData("another"u8));
            await File.WriteAllTextAsync(
                path,
                $$"""
                {"tokens": [{"id": "ops", "sha256": ["{{digest}}"], "grants": [{"role": "admin", "cache": "*"}]},
                  {"id": "{{s_name}}", "sha256": ["{{other}}"], "grants": [{"role": "write", "cache": "{{s_name}}"}]}]}
                """);
            using ServerProcess served = await ServerProcess.StartAsync("--tokens", path);
            await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, served.Console, "access");
            await page.TypeAsync("#token-input", Secret);
            await page.PressAsync("Enter");
            await AssertLayoutAsync(page, s_name);
            page.AssertClean("401 (Unauthorized)");
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static async Task AssertLayoutAsync(ConsolePage page, string name)
    {
        await page.WaitAsync($"[...document.querySelectorAll('.name')].some((one) => one.textContent.includes('{name}') && one.checkVisibility())");
        foreach (int width in s_widths)
        {
            await page.ResizeAsync(width, dark: false);
            string found = (string)(await page.EvaluateAsync(Faults))!;
            Assert.True(found == "[]", $"{width}: {found}");
        }

        // A name that has the focus is shown completely.
        Assert.True((bool?)await page.EvaluateAsync(
            $$"""
            (() => {
              const long = [...document.querySelectorAll('.name')].find((one) => one.textContent.includes('{{name}}') && one.checkVisibility());
              (long.closest('button') ?? long).focus();
              return long.scrollHeight <= long.clientHeight && long.title === long.textContent;
            })()
            """));
    }

    /// <summary>Finds pages and tables that are too wide, rows that are too high, and short words that are broken across lines.</summary>
    private const string Faults = """
        (() => {
          document.activeElement.blur();
          const faults = [];
          if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is too wide');
          for (const frame of document.querySelectorAll('.frame')) {
            if (innerWidth >= 1100 && frame.scrollWidth > frame.clientWidth + 1) faults.push(`${frame.ariaLabel}: ${frame.scrollWidth} > ${frame.clientWidth}`);
          }
          for (const row of document.querySelectorAll('.frame tbody tr')) {
            if (row.clientHeight > 120) faults.push(`a row of ${row.clientHeight} px: ${row.innerText.slice(0, 40)}`);
          }
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            if (!node.parentElement.checkVisibility() || node.parentElement.closest('svg')) continue;
            for (const word of node.data.matchAll(/[^\s-]{1,24}/g)) {
              if (node.data.slice(word.index).match(/^[^\s-]*/)[0].length > 24 || /[^\s-]$/.test(node.data.slice(0, word.index))) continue;
              const range = document.createRange();
              range.setStart(node, word.index);
              range.setEnd(node, word.index + word[0].length);
              const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
              if (tops.size > 1) faults.push(`broken: ${word[0]}`);
            }
          }
          return JSON.stringify(faults);
        })()
        """;
}
