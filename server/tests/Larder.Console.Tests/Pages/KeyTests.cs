using System.Text;
using System.Text.Json;
using Google.Protobuf;
using Larder.Console.Tests.Browsers;
using Larder.Console.Tests.Servers;
using Larder.Harness.Servers;
using Larder.Protocol;

namespace Larder.Console.Tests.Pages;

[Collection(ConsoleTests.Name)]
public sealed class KeyTests(LoadedServer server)
{
    private const string Asked = "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/keys')).length";

    [Fact]
    public async Task Keys_page_searches_by_prefix_shows_formats_and_deletes_items()
    {
        await server.Load.MakeCacheAsync("browsed");
        await SetAsync("browsed", "user:1", "{\"name\":\"é\",\"id\":12345678901234567890}");
        await SetAsync("browsed", "user:2", "plain");
        await SetAsync("browsed", "other", "else");
        await using ConsolePage page = await OpenAsync("browsed");
        await page.TypeAsync("#keys-prefix", "user:");
        await page.PressAsync("Enter");
        await page.WaitForTextAsync("2 keys");
        Assert.DoesNotContain("other", await page.TextAsync("main table"), StringComparison.Ordinal);

        await page.ClickAsync("user:1");
        await page.WaitForTextAsync("scalar, 39 B");
        Assert.Equal("user:1", await page.FocusAsync());
        Assert.Contains("59 min", await page.TextAsync("main section"), StringComparison.Ordinal);
        Assert.StartsWith("{\"name\":\"é\"", await page.TextAsync("pre"), StringComparison.Ordinal);
        await page.EvaluateAsync("document.querySelector('#form-JSON').click()");
        Assert.Equal(
            "{\n  \"name\": \"é\",\n  \"id\": 12345678901234567890\n}",
            (string?)await page.EvaluateAsync("document.querySelector('pre').textContent"));
        await page.EvaluateAsync("document.querySelector('#form-Hex').click()");
        Assert.StartsWith("000000  7b 22 6e 61 6d 65", await page.TextAsync("pre"), StringComparison.Ordinal);

        await page.ClickAsync("Delete item");
        await page.ClickAsync("Cancel", "dialog");
        await page.ClickAsync("Delete item");
        await page.ClickAsync("Delete", "dialog");
        await page.WaitForTextAsync("Deleted user:1");
        await page.WaitForTextAsync("1 key");
        await page.ClickAsync("Find");
        await page.WaitForTextAsync("1 key");
        page.AssertClean();
    }

    [Fact]
    public async Task Find_more_loads_remaining_keys_page_by_page()
    {
        await server.Load.MakeCacheAsync("many");
        for (int number = 0; number < 250; number++)
        {
            await SetAsync("many", $"k{number}", "v");
        }

        await using ConsolePage page = await OpenAsync("many");
        await page.ClickAsync("Find");
        await page.WaitForTextAsync("perhaps more");
        const string More = "[...document.querySelectorAll('button')].find((one) => one.innerText === 'Find more')?.checkVisibility() ?? false";
        while ((bool?)await page.EvaluateAsync(More) == true)
        {
            string before = await page.TextAsync("main [role=status]");
            await page.ClickAsync("Find more");
            await page.WaitAsync($"document.querySelector('main [role=status]').innerText !== {JsonSerializer.Serialize(before)}");
        }

        Assert.Equal(250, (int?)await page.EvaluateAsync("document.querySelectorAll('main tbody tr').length"));
        page.AssertClean();
    }

    [Theory]
    [InlineData("<script>document.title='hacked'</script>")]
    [InlineData("<img src=x onerror=\"document.title='hacked'\">")]
    [InlineData("'\"><svg onload=document.title='hacked'>")]
    [InlineData("safe\u202egpj.exe\u2066\u200b\u0000\n")]
    public async Task A3_hostile_key_and_value_are_shown_as_text(string hostile)
    {
        string cache = $"hostile-{hostile.Length}";
        await server.Load.MakeCacheAsync(cache);
        await SetAsync(cache, hostile, hostile);
        await using ConsolePage page = await OpenAsync(cache);
        await page.ClickAsync("Find");
        await page.WaitForTextAsync("1 key");
        await page.EvaluateAsync("document.querySelector('button.key').click()");
        await page.WaitAsync("document.querySelector('pre').textContent !== ''");
        string keyShown = hostile;
        foreach ((string unseen, string shown) in ((string, string)[])[
            ("\u202e", "\\u{202e}"),
            ("\u2066", "\\u{2066}"),
            ("\u200b", "\\u{200b}"),
            ("\u0000", "\\u{0}")])
        {
            keyShown = keyShown.Replace(unseen, shown, StringComparison.Ordinal);
        }

        Assert.Equal(
            keyShown.Replace("\n", "\\n", StringComparison.Ordinal),
            (string?)await page.EvaluateAsync("document.querySelector('button.key').textContent"));
        Assert.Equal(keyShown, (string?)await page.EvaluateAsync("document.querySelector('pre').textContent"));
        await page.EvaluateAsync("document.querySelector('#form-JSON').click(), document.querySelector('#form-Hex').click()");
        Assert.Equal("Keys – Larder console", (string?)await page.EvaluateAsync("document.title"));
        Assert.Equal(0, (int?)await page.EvaluateAsync("document.querySelectorAll('img, main script, main svg').length"));
        page.AssertClean();
    }

    [Fact]
    public async Task Binary_key_and_value_are_shown_and_searched_as_hex()
    {
        await server.Load.MakeCacheAsync("bytes");
        byte[] surrogate = [0xed, 0xa0, 0x80];
        await server.Load.SetAsync(surrogate, [0xff, 0xfe], cache: "bytes");
        await server.Load.SetAsync([1], [], cache: "bytes");
        await using ConsolePage page = await OpenAsync("bytes");
        await page.EvaluateAsync("document.querySelector('#keys-hex').click()");
        await page.TypeAsync("#keys-prefix", "eda");
        await page.ClickAsync("Find");
        await page.WaitForTextAsync("Invalid hexadecimal prefix");
        await page.TypeAsync("#keys-prefix", "ed a0");
        await page.ClickAsync("Find");
        await page.WaitForTextAsync("0xeda080");
        Assert.Equal(1, (int?)await page.EvaluateAsync("document.querySelectorAll('button.key').length"));
        await page.ClickAsync("0xeda080");
        await page.WaitForTextAsync("ff fe");
        Assert.True((bool?)await page.EvaluateAsync("document.querySelector('#form-Hex').checked"));
        await page.EvaluateAsync("document.querySelector('#form-Text').click()");
        await page.WaitForTextAsync("not UTF-8 text");
        page.AssertClean();
    }

    [Fact]
    public async Task Value_of_almost_5_MB_is_truncated_with_notice()
    {
        await server.Load.MakeCacheAsync("large");
        await SetAsync("large", "large", new string('é', 2_400_000));
        await using ConsolePage page = await OpenAsync("large");
        await page.ClickAsync("Find");
        await page.ClickAsync("large");
        await page.WaitForTextAsync("Truncated: the first 65,536 of 4,800,000 bytes.");
        Assert.Equal(32_768, (int?)await page.EvaluateAsync("document.querySelector('pre').textContent.length"));
        Assert.InRange(
            (int)(await page.EvaluateAsync("performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/api/item')).decodedBodySize"))!,
            65_536,
            100_000);
        await page.EvaluateAsync("document.querySelector('#form-JSON').click()");
        await page.WaitForTextAsync("or its end is missing");
        await page.EvaluateAsync("document.querySelector('#form-Hex').click()");
        await page.WaitForTextAsync("Truncated: the first 8,192 of 4,800,000 bytes.");
        page.AssertClean();
    }

    [Fact]
    public async Task Opening_deleted_item_reports_that_it_is_missing()
    {
        await server.Load.MakeCacheAsync("short");
        await server.Load.SetAsync("soon"u8.ToArray(), [1], cache: "short");
        await using ConsolePage page = await OpenAsync("short");
        await page.ClickAsync("Find");
        await page.WaitForTextAsync("soon");
        await server.Load.CallAsync<DeleteResponse>("Delete", new DeleteRequest { Key = ByteString.CopyFromUtf8("soon") }, "short");
        await page.ClickAsync("soon");
        await page.WaitForTextAsync("the item does not exist");
        page.AssertClean("404 (Not Found)");
    }

    [Fact]
    public async Task No_cache_is_preselected_when_several_caches_exist()
    {
        await server.Load.MakeCacheAsync("aaa-first");
        await server.Load.MakeCacheAsync("viewed");
        await SetAsync("viewed", "seen", "v");
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console, "keys");
        await page.WaitAsync("document.querySelector('#keys-cache').options.length > 2");
        Assert.Equal("Choose a cache", (string?)await page.EvaluateAsync("document.querySelector('#keys-cache').selectedOptions[0].text"));
        await page.ClickAsync("Find");
        Assert.Equal(0, (int?)await page.EvaluateAsync(Asked));
        await page.EvaluateAsync("document.querySelector('#keys-cache').value = 'viewed'");
        await page.ClickAsync("Find");
        await page.WaitForTextAsync("seen");

        // After a reload the page opens the cache that was viewed last.
        await page.ViewAsync("overview");
        await page.EvaluateAsync("location.reload()");
        await page.WaitAsync("document.querySelector('#state')?.textContent === 'Ready'");
        await page.ViewAsync("keys");
        await page.WaitAsync("document.querySelector('#keys-cache').value === 'viewed'");
        await page.WaitForTextAsync("seen");
        page.AssertClean();
    }

    [Fact]
    public async Task Single_cache_is_opened_automatically()
    {
        using ServerProcess alone = await ServerProcess.StartAsync();
        await using Load load = new(alone.Endpoint, keys: 1);
        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, alone.Console, "keys");
        await page.WaitForTextAsync(Load.HotKey);
        Assert.Equal("cache", (string?)await page.EvaluateAsync("document.querySelector('#keys-cache').value"));
        page.AssertClean();
    }

    private Task SetAsync(string cache, string key, string value) =>
        server.Load.SetAsync(Encoding.UTF8.GetBytes(key), Encoding.UTF8.GetBytes(value), cache: cache);

    private async Task<ConsolePage> OpenAsync(string cache)
    {
        ConsolePage page = await ConsolePage.OpenAsync(server.Browser, server.Console, "keys");
        await page.WaitAsync($"[...document.querySelector('#keys-cache').options].some(({{ value }}) => value === '{cache}')");
        await page.EvaluateAsync($"document.querySelector('#keys-cache').value = '{cache}'");
        return page;
    }
}
