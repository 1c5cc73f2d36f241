using System.Globalization;
using System.Text.Json;
using Google.Protobuf;
using Larder.Console.Tests.Browsers;
using Larder.Console.Tests.Servers;
using Larder.Harness.Redis;
using Larder.Harness.Servers;
using Larder.Protocol;

namespace Larder.Console.Tests.Pages;

/// <summary>Tests of how the page displays the elements of dictionaries, sets, lists and sorted sets.</summary>
[Collection(ConsoleTests.Name)]
public sealed class ElementTests(LoadedServer server)
{
    private const string Json = "{\"name\":\"é\",\"id\":12345678901234567890}";
    private const string JsonLines = "{\n  \"name\": \"é\",\n  \"id\": 12345678901234567890\n}";

    [Theory]
    [InlineData("dictionary", "Field,Value", "Fields 1 to 3 of 3")]
    [InlineData("set", "Element", "Elements 1 to 3 of 3")]
    [InlineData("list", "Position,Element", "Elements 1 to 3 of 3")]
    [InlineData("sorted set", "Rank,Score,Element", "Elements 1 to 3 of 3")]
    public async Task Collection_is_viewed_in_each_format_and_deleted_by_keyboard(string type, string head, string range)
    {
        string cache = $"small-{type}";
        await server.Load.MakeCacheAsync(cache);
        await AddAsync(server.Load, cache, type, "held", Bytes(Json), ByteString.Empty, ByteString.CopyFrom(0xff, 0x00, 0x3c));
        await using ConsolePage page = await OpenAsync(server.Console, cache);
        await page.ClickAsync("held");
        await page.WaitForTextAsync(range);
        Assert.Equal("held", await page.FocusAsync());
        Assert.StartsWith($"{type}, ", await page.TextAsync("main section p"), StringComparison.Ordinal);
        Assert.Equal(head, await JoinedAsync(page, ".elements thead th"));
        Assert.Equal("row,row,row", (string?)await page.EvaluateAsync(
            "[...document.querySelectorAll('.elements tbody th')].map(({ scope }) => scope).join()"));
        if (type != "set")
        {
            string[] names = type == "dictionary" ? ["field-0", "field-1", "field-2"] : ["0", "1", "2"];
            Assert.Equal(names, (await JoinedAsync(page, ".elements tbody th")).Split(',').Order(StringComparer.Ordinal));
        }

        if (type == "sorted set")
        {
            Assert.Equal("-1.5,0,inf", await JoinedAsync(page, ".elements tbody td:nth-child(2)"));
        }

        Assert.Equal(new[] { Json, "0xff003c", "empty" }.Order(StringComparer.Ordinal), (await ElementsAsync(page)).Order(StringComparer.Ordinal));
        await page.EvaluateAsync("document.querySelector('#form-JSON').click()");
        Assert.Equal(new[] { JsonLines, "0xff003c", "empty" }.Order(StringComparer.Ordinal), (await ElementsAsync(page)).Order(StringComparer.Ordinal));
        await page.EvaluateAsync("document.querySelector('#form-Hex').click()");
        Assert.Contains(await ElementsAsync(page), shown => shown.StartsWith("000000  ff 00 3c ", StringComparison.Ordinal));

        string name = type == "dictionary" ? "Fields" : "Elements";
        Assert.Equal(name, (string?)await page.EvaluateAsync("document.querySelector('.elements [role=region][tabindex=\"0\"]').ariaLabel"));
        Assert.Equal(name, (string?)await page.EvaluateAsync("document.querySelector('.elements caption').textContent"));
        Assert.False((bool?)await page.EvaluateAsync("document.querySelector('pre[aria-label=Value]').checkVisibility()"));

        // Tab moves from the format selection to the scrollable table and then to the button.
        await page.EvaluateAsync("document.querySelector('#form-Hex').focus()");
        await page.PressAsync("Tab");
        Assert.Equal(name, await page.FocusAsync());
        await page.PressAsync("Tab");
        Assert.Equal("Delete item", await page.FocusAsync());
        await page.PressAsync("Enter");
        await page.WaitAsync("document.querySelector('dialog[open]')");
        await page.ClickAsync("Delete", "dialog");
        await page.WaitForTextAsync("Deleted held");
        await page.WaitForTextAsync("0 keys");
        await page.ClickAsync("Find");
        await page.WaitForTextAsync("No keys found.");
        page.AssertClean();
    }

    [Theory]
    [InlineData("dictionary")]
    [InlineData("set")]
    [InlineData("list")]
    [InlineData("sorted set")]
    public async Task Show_more_loads_pages_until_all_elements_are_shown(string type)
    {
        string cache = $"paged-{type}";
        await server.Load.MakeCacheAsync(cache);
        await AddAsync(server.Load, cache, type, "held", [.. Enumerable.Range(0, 1_100).Select(number => Bytes($"element {number}"))]);
        await using ConsolePage page = await OpenAsync(server.Console, cache);
        await page.ClickAsync("held");
        await page.WaitForTextAsync("of 1,100");
        Assert.InRange((int)(await page.EvaluateAsync("document.querySelectorAll('.elements tbody tr').length"))!, 50, 300);
        for (string shown = await RangeAsync(page); await IsShownAsync(page, "Show more"); shown = await RangeAsync(page))
        {
            await page.ClickAsync("Show more");
            await page.WaitAsync($"document.querySelector('main section [role=status]').textContent !== {JsonSerializer.Serialize(shown)}");
        }

        // After the last elements are shown, the button disappears. The focus then moves to the status line.
        Assert.EndsWith("1 to 1,100 of 1,100", await page.FocusAsync(), StringComparison.Ordinal);
        string[] elements = await ElementsAsync(page);
        string[] wanted = [.. Enumerable.Range(0, 1_100).Select(number => $"element {number}")];
        Assert.Equal(wanted.Order(StringComparer.Ordinal), elements.Order(StringComparer.Ordinal));
        if (type is "list" or "sorted set")
        {
            Assert.Equal(wanted, elements);
            Assert.Equal("1,099", (string?)await page.EvaluateAsync("document.querySelector('.elements tbody tr:last-child th').textContent"));
        }

        page.AssertClean();
    }

    [Theory]
    [InlineData("dictionary")]
    [InlineData("set")]
    [InlineData("list")]
    [InlineData("sorted set")]
    public async Task A3_hostile_elements_are_shown_as_text(string type)
    {
        string cache = $"hostile-{type}";
        string[] hostile = ["<script>document.title='hacked'</script>", "<img src=x onerror=\"document.title='hacked'\">", "a\u202egpj\u0000"];
        await server.Load.MakeCacheAsync(cache);
        await AddAsync(server.Load, cache, type, "held", [.. hostile.Select(Bytes)]);
        await using ConsolePage page = await OpenAsync(server.Console, cache);
        await page.ClickAsync("held");
        await page.WaitForTextAsync("1 to 3 of 3");
        string[] wanted = [hostile[0], hostile[1], "a\\u{202e}gpj\\u{0}"];
        Assert.Equal(wanted.Order(StringComparer.Ordinal), (await ElementsAsync(page)).Order(StringComparer.Ordinal));
        await page.EvaluateAsync("document.querySelector('#form-JSON').click()");
        await page.WaitForTextAsync("This is not JSON.");
        await page.EvaluateAsync("document.querySelector('#form-Hex').click()");
        Assert.Equal("Keys – Larder console", (string?)await page.EvaluateAsync("document.title"));
        Assert.Equal(0, (int?)await page.EvaluateAsync("document.querySelectorAll('img, main script, main svg').length"));
        page.AssertClean();
    }

    [Fact]
    public async Task A3_hostile_dictionary_field_is_shown_as_text()
    {
        await server.Load.MakeCacheAsync("hostile-field");
        DictionaryItem item = new() { Field = Bytes("<img src=x onerror=\"document.title='hacked'\">"), Value = Bytes("v") };
        DictionarySetRequest set = new() { Name = Bytes("held"), Items = { item }, TtlMs = 3_600_000 };
        await server.Load.CallAsync<DictionarySetResponse>("DictionarySet", set, "hostile-field");
        await using ConsolePage page = await OpenAsync(server.Console, "hostile-field");
        await page.ClickAsync("held");
        await page.WaitForTextAsync("1 to 1 of 1");
        Assert.Equal(item.Field.ToStringUtf8(), await JoinedAsync(page, ".elements tbody th"));
        Assert.Equal(0, (int?)await page.EvaluateAsync("document.querySelectorAll('img').length"));
        page.AssertClean();
    }

    [Theory]
    [InlineData("dictionary")]
    [InlineData("list")]
    public async Task Long_element_is_abbreviated_expandable_and_truncated_at_limit(string type)
    {
        string cache = $"long-{type}";
        await server.Load.MakeCacheAsync(cache);
        await AddAsync(server.Load, cache, type, "held", Bytes(new string('é', 2_000)), Bytes(new string('x', 400_000)));
        await using ConsolePage page = await OpenAsync(server.Console, cache);
        await page.ClickAsync("held");
        await page.WaitForTextAsync("Truncated: the first 65,536 of 400,000 bytes.");
        Assert.Equal([602, 602], (await ElementsAsync(page)).Select(shown => shown.Length));
        Assert.Equal("false,false", (string?)await page.EvaluateAsync(
            "[...document.querySelectorAll('.elements button')].map(({ ariaExpanded }) => ariaExpanded).join()"));
        await page.EvaluateAsync("document.querySelectorAll('.elements button').forEach((one) => one.click())");
        Assert.Equal([2_000, 65_536], (await ElementsAsync(page)).Select(shown => shown.Length).Order());
        Assert.Equal(2, (int?)await page.EvaluateAsync("document.querySelectorAll('.elements pre[tabindex=\"0\"][aria-label]').length"));
        await page.EvaluateAsync("document.querySelectorAll('.elements button').forEach((one) => one.click())");
        Assert.Equal([602, 602], (await ElementsAsync(page)).Select(shown => shown.Length));
        await page.ResizeAsync(360, dark: true);
        Assert.True((int)(await page.EvaluateAsync("document.documentElement.scrollWidth"))! <= 360);
        page.AssertClean();
    }

    [Fact]
    public async Task Page_shows_at_most_2000_of_a_million_elements()
    {
        await server.Load.MakeCacheAsync("million");
        for (int first = 0; first < 1_000_000; first += 20_000)
        {
            await AddAsync(server.Load, "million", "list", "held", [.. Enumerable.Range(first, 20_000).Select(number => Bytes($"{number}"))]);
        }

        await using ConsolePage page = await OpenAsync(server.Console, "million");
        await page.ClickAsync("held");
        await page.WaitForTextAsync("Elements 1 to 100 of 1,000,000");
        for (int shown = 200; shown <= 2_300; shown += 100)
        {
            await page.ClickAsync("Show more");
            string first = Math.Max(shown - 1_999, 1).ToString("n0", CultureInfo.InvariantCulture);
            await page.WaitForTextAsync($"Elements {first} to {shown.ToString("n0", CultureInfo.InvariantCulture)} of 1,000,000");
        }

        Assert.Equal(2_000, (int?)await page.EvaluateAsync("document.querySelectorAll('.elements tbody tr').length"));
        Assert.Equal("300", (string?)await page.EvaluateAsync("document.querySelector('.elements tbody th').textContent"));
        await page.EvaluateAsync("document.querySelector('#form-Hex').click()");
        Assert.StartsWith("000000  33 30 30 ", (await ElementsAsync(page))[0], StringComparison.Ordinal);
        await page.ClickAsync("Delete item");
        await page.ClickAsync("Delete", "dialog");
        await page.WaitForTextAsync("Deleted held");
        page.AssertClean();
    }

    [Theory]
    [InlineData("list", "dictionary")]
    [InlineData("dictionary", "set")]
    public async Task Show_more_reports_deleted_item_and_changed_type(string type, string then)
    {
        string cache = $"changing-{type}";
        await server.Load.MakeCacheAsync(cache);
        await AddAsync(server.Load, cache, type, "held", [.. Enumerable.Range(0, 1_100).Select(number => Bytes($"{number}"))]);
        await using ConsolePage page = await OpenAsync(server.Console, cache);
        await page.ClickAsync("held");
        await page.WaitForTextAsync("of 1,100");
        await server.Load.CallAsync<DeleteResponse>("Delete", new DeleteRequest { Key = Bytes("held") }, cache);
        await page.ClickAsync("Show more");
        await page.WaitForTextAsync("Cannot show: the item does not exist");
        await AddAsync(server.Load, cache, then, "held", Bytes("one"));
        await page.ClickAsync("Show more");
        await page.WaitForTextAsync("Cannot show: the type of the key's item has changed");
        await page.ClickAsync("held");
        await page.WaitForTextAsync("1 to 1 of 1");
        page.AssertClean("404 (Not Found)", "409 (Conflict)");
    }

    [Fact]
    public async Task Gateway_console_pages_through_and_deletes_collections()
    {
        using RedisCluster cluster = new();
        using ServerProcess gateway = await ServerProcess.StartAsync("--store", cluster.Url);
        await using Load load = new(gateway.Endpoint);
        string[] types = ["dictionary", "set", "list", "sorted set"];
        foreach (string type in types)
        {
            await AddAsync(load, "cache", type, type, [.. Enumerable.Range(0, 1_100).Select(number => Bytes($"element {number}"))]);
        }

        await using ConsolePage page = await ConsolePage.OpenAsync(server.Browser, gateway.Console, "keys");
        await page.WaitAsync("document.querySelector('#keys-cache').options.length > 0");
        foreach (string type in types)
        {
            await page.EvaluateAsync($"document.querySelector('#keys-type').value = '{type}'");
            await page.ClickAsync("Find");
            await page.ClickAsync(type);
            await page.WaitForTextAsync("of 1,100");
            int before = (int)(await page.EvaluateAsync("document.querySelectorAll('.elements tbody tr').length"))!;
            await page.ClickAsync("Show more");
            await page.WaitAsync($"document.querySelectorAll('.elements tbody tr').length > {before}");
            if (type is "list" or "sorted set")
            {
                Assert.Equal(Enumerable.Range(0, 200).Select(number => $"element {number}"), await ElementsAsync(page));
            }

            await page.ClickAsync("Delete item");
            await page.ClickAsync("Delete", "dialog");
            await page.WaitForTextAsync($"Deleted {type}");
            await page.WaitForTextAsync("0 keys");
        }

        page.AssertClean();
    }

    [Theory]
    [InlineData("dictionary")]
    [InlineData("set")]
    [InlineData("list")]
    [InlineData("sorted set")]
    public async Task Collection_view_fits_all_widths_and_supports_dark_mode(string type)
    {
        string cache = $"shop-{type}";
        await server.Load.MakeCacheAsync(cache);
        (string key, string[] elements) = type switch
        {
            "dictionary" => ("user:42", (string[])["Ada Lovelace", "{\"city\":\"London\",\"visits\":7}", "", "2026-11-23T16:02:12Z"]),
            "set" => ("tags:42", ["mathematics", "engines", "poetry", "", "{\"lang\":\"en\"}"]),
            "list" => ("queue:mail", [.. Enumerable.Range(1, 120).Select(number => $"{{\"to\":\"user-{number}@example.com\",\"template\":\"welcome\"}}")]),
            _ => ("scores:week", [.. Enumerable.Range(1, 120).Select(number => $"player-{number * 7919 % 1_000}")]),
        };
        await AddAsync(server.Load, cache, type, key, [.. elements.Select(Bytes)]);
        await using ConsolePage page = await OpenAsync(server.Console, cache);
        await page.ClickAsync(key);
        await page.WaitForTextAsync($"of {elements.Length}");
        foreach (string form in (string[])["Hex", "JSON", "Text"])
        {
            await page.EvaluateAsync($"document.querySelector('#form-{form}').click()");
            foreach (bool dark in (bool[])[false, true])
            {
                foreach (int width in (int[])[360, 768, 1280, 1920])
                {
                    await page.ResizeAsync(width, dark);
                    Assert.True((int)(await page.EvaluateAsync("document.documentElement.scrollWidth"))! <= width, $"{type}, {form} at {width}");
                }

                await Contrast.AssertLegibleAsync(page);
            }
        }

        // Screenshots contain only the first rows, because the other rows look similar.
        await page.EvaluateAsync("document.querySelectorAll('.elements tbody tr:nth-child(n + 9)').forEach((one) => { one.hidden = true; })");
        await Picture.TakeAsync(page, type.Replace(' ', '-'), dark: type is "list" or "sorted set");
        page.AssertClean();
    }

    private static ByteString Bytes(string text) => ByteString.CopyFromUtf8(text);

    // Adds elements to a collection. The elements are numbered from 0. The name of a dictionary's field contains this number. The score in a sorted set is the
    // number times 1.5. If there are exactly three elements, their scores are negative, zero and infinity instead.
    private static Task AddAsync(Load load, string cache, string type, string key, params ByteString[] elements)
    {
        ByteString name = Bytes(key);
        double ScoreOf(int number) => elements.Length == 3 ? ((double[])[-1.5, 0, double.PositiveInfinity])[number] : number * 1.5;
        return type switch
        {
            "dictionary" => load.CallAsync<DictionarySetResponse>(
                "DictionarySet",
                new DictionarySetRequest
                {
                    Name = name,
                    TtlMs = 3_600_000,
                    Items = { elements.Select((element, number) => new DictionaryItem { Field = Bytes($"field-{number}"), Value = element }) },
                },
                cache),
            "set" => load.CallAsync<SetUnionResponse>("SetUnion", new SetUnionRequest { Name = name, TtlMs = 3_600_000, Elements = { elements } }, cache),
            "list" => load.CallAsync<ListConcatenateBackResponse>(
                "ListConcatenateBack",
                new ListConcatenateBackRequest { Name = name, TtlMs = 3_600_000, Values = { elements } },
                cache),
            _ => load.CallAsync<SortedSetPutResponse>(
                "SortedSetPut",
                new SortedSetPutRequest
                {
                    Name = name,
                    TtlMs = 3_600_000,
                    Elements = { elements.Select((element, number) => new SortedSetElement { Value = element, Score = ScoreOf(number) }) },
                },
                cache),
        };
    }

    private static async Task<string> JoinedAsync(ConsolePage page, string selector) =>
        (string)(await page.EvaluateAsync(
            $"[...document.querySelectorAll({JsonSerializer.Serialize(selector)})].map(({{ textContent }}) => textContent).join()"))!;

    // Returns the text of the last column, row by row in the order of the display.
    private static async Task<string[]> ElementsAsync(ConsolePage page) =>
        [.. (await page.EvaluateAsync(
            "[...document.querySelectorAll('.elements tbody tr')].map((row) => row.lastElementChild.querySelector('pre, i').textContent)"))!.AsArray()
            .Select(shown => (string)shown!)];

    private static Task<string> RangeAsync(ConsolePage page) => page.TextAsync("main section [role=status]");

    private static async Task<bool> IsShownAsync(ConsolePage page, string button) => (bool)(await page.EvaluateAsync(
        $"[...document.querySelectorAll('button')].find((one) => one.textContent === {JsonSerializer.Serialize(button)})?.checkVisibility() ?? false"))!;

    private async Task<ConsolePage> OpenAsync(Uri console, string cache)
    {
        ConsolePage page = await ConsolePage.OpenAsync(server.Browser, console, "keys");
        await page.WaitAsync($"[...document.querySelector('#keys-cache').options].some(({{ value }}) => value === '{cache}')");
        await page.EvaluateAsync($"document.querySelector('#keys-cache').value = '{cache}'");
        await page.ClickAsync("Find");
        return page;
    }
}
