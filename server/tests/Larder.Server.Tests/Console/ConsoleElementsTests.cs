using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using Google.Protobuf;
using Larder.Protocol;

namespace Larder.Server.Tests.Console;

/// <summary>Tests of the collection views of the page, on a server with its own store and on a gateway.</summary>
public sealed class ConsoleElementsTests
{
    private const string Elements = "/api/elements";
    private const int MaxAnswerBytes = 1 << 20;

    public static TheoryData<string, bool> Types => new()
    {
        { "dictionary", false },
        { "set", false },
        { "list", false },
        { "sorted set", false },
        { "dictionary", true },
        { "set", true },
        { "list", true },
        { "sorted set", true },
    };

    [Theory]
    [MemberData(nameof(Types))]
    public async Task Collection_is_returned_completely_in_pages_and_in_order(string type, bool isGateway)
    {
        await using ConsoleCase console = await ConsoleCase.StartAsync(isGateway);
        await console.MakeAsync(type, "k", 2_500);
        List<string> told = [];
        string cursor = "";
        int pages = 0;
        do
        {
            JsonNode page = await console.LookAsync(type, "k", cursor);
            Assert.Equal(2_500, (int)page["count"]!);
            Assert.Equal(type is "list" or "sorted set" ? told.Count : null, (int?)page["first"]);
            JsonArray elements = page["elements"]!.AsArray();
            Assert.InRange(elements.Count, 0, 300);
            told.AddRange(elements.Select(TextOf));
            cursor = (string)page["cursor"]!;
            pages++;
        }
        while (cursor.Length > 0);
        Assert.True(pages > 8);
        string[] wanted = [.. Enumerable.Range(0, 2_500).Select(number => ConsoleCase.TextOf(type, number))];
        Assert.Equal(wanted.Order(), told.Distinct().Order());
        if (type is "list" or "sorted set")
        {
            Assert.Equal(wanted, told);
        }
    }

    [Theory]
    [MemberData(nameof(Types))]
    public async Task Long_elements_are_truncated_and_page_size_is_limited(string type, bool isGateway)
    {
        await using ConsoleCase console = await ConsoleCase.StartAsync(isGateway);
        await console.MakeAsync(type, "one", 1, new string('x', 900_000));
        await console.MakeAsync(type, "few", 40, new string('x', 70_000));
        JsonNode one = (await console.LookAsync(type, "one"))["elements"]![0]!;
        string held = type == "dictionary" ? "value" : "name";
        Assert.True((long)one[$"{held}Bytes"]! > 900_000);
        Assert.Equal(65_536, BytesOf(one, held).Length);
        Assert.Equal(Convert.ToBase64String(ConsoleCase.ElementOf(0, new string('x', 900_000))[..65_536]), (string?)one[held]);

        string cursor = "";
        HashSet<string> seen = [];
        do
        {
            (string text, JsonNode page) = await console.ReadPageTextAsync(type, "few", cursor);
            Assert.InRange(text.Length, 1, MaxAnswerBytes);
            foreach (JsonNode? element in page["elements"]!.AsArray())
            {
                byte[] bytes = BytesOf(element!, held);
                Assert.InRange(bytes.Length, 1_024, 65_536);
                Assert.InRange((long)element![$"{held}Bytes"]!, 70_000, 70_100);
                seen.Add(Encoding.UTF8.GetString(bytes[..16]));
            }

            cursor = (string)page["cursor"]!;
        }
        while (cursor.Length > 0);
        Assert.Equal(40, seen.Count);
    }

    [Theory]
    [MemberData(nameof(Types))]
    public async Task Collection_with_one_empty_element_has_one_element(string type, bool isGateway)
    {
        await using ConsoleCase console = await ConsoleCase.StartAsync(isGateway);
        await console.CallAsync(type switch
        {
            "dictionary" => new DictionarySetRequest { Name = Key("k"), Items = { new DictionaryItem { Field = Key("f") } }, TtlMs = 60_000 },
            "set" => new SetUnionRequest { Name = Key("k"), Elements = { ByteString.Empty }, TtlMs = 60_000 },
            "list" => new ListConcatenateBackRequest { Name = Key("k"), Values = { ByteString.Empty }, TtlMs = 60_000 },
            _ => new SortedSetPutRequest
            {
                Name = Key("k"),
                Elements = { new SortedSetElement { Value = ByteString.Empty, Score = double.NegativeInfinity } },
                TtlMs = 60_000,
            },
        });
        JsonNode page = await console.LookAsync(type, "k");
        JsonNode element = Assert.Single(page["elements"]!.AsArray())!;
        Assert.Equal((1, ""), ((int)page["count"]!, (string)page["cursor"]!));
        Assert.Equal(
            type == "dictionary" ? ("Zg==", "", 0) : ("", null, 0),
            ((string)element["name"]!, (string?)element["value"], (int)element["valueBytes"]!));
        Assert.Equal(type == "sorted set" ? "-inf" : null, (string?)element["score"]);
    }

    [Theory]
    [MemberData(nameof(Types))]
    public async Task Page_request_reports_deletion_or_type_change_of_collection(string type, bool isGateway)
    {
        await using ConsoleCase console = await ConsoleCase.StartAsync(isGateway);
        await console.MakeAsync(type, "k", 1_500);
        JsonNode item = await console.OkAsync("/api/item", ConsoleCase.Named("k"));
        Assert.Equal((type, null), ((string)item["type"]!, (string?)item["value"]));
        string cursor = (string)(await console.LookAsync(type, "k"))["cursor"]!;
        Assert.NotEmpty(cursor);
        Assert.Equal(HttpStatusCode.OK, await console.StatusAsync(HttpMethod.Delete, "/api/item", ConsoleCase.Named("k")));
        Assert.Equal(HttpStatusCode.NotFound, await console.StatusAsync(HttpMethod.Post, "/api/item", ConsoleCase.Named("k")));
        Assert.Equal(HttpStatusCode.NotFound, await console.StatusAsync(HttpMethod.Post, Elements, ConsoleCase.Asking(type, "k", cursor)));
        foreach (string other in ((string[])["dictionary", "set", "list", "sorted set"]).Where(other => other != type))
        {
            await console.MakeAsync(other, "k", 3);
            foreach (string from in (string[])["", cursor])
            {
                Assert.Equal(HttpStatusCode.Conflict, await console.StatusAsync(HttpMethod.Post, Elements, ConsoleCase.Asking(type, "k", from)));
            }

            await console.StatusAsync(HttpMethod.Delete, "/api/item", ConsoleCase.Named("k"));
        }

        await console.SetAsync("k");
        Assert.Equal(HttpStatusCode.Conflict, await console.StatusAsync(HttpMethod.Post, Elements, ConsoleCase.Asking(type, "k", cursor)));
    }

    [Theory]
    [MemberData(nameof(Types))]
    public async Task Invalid_page_request_is_rejected(string type, bool isGateway)
    {
        await using ConsoleCase console = await ConsoleCase.StartAsync(isGateway);
        await console.MakeAsync(type, "k", 150);
        Task<HttpStatusCode> SendAsync(JsonObject request) => console.StatusAsync(HttpMethod.Post, Elements, request);
        JsonObject With(string field, JsonNode? value)
        {
            JsonObject request = ConsoleCase.Asking(type, "k");
            request[field] = value;
            return request;
        }

        bool hasOrder = type is "list" or "sorted set";
        foreach (int length in (int[])[1, 3, 5, 8, 44, 30_000])
        {
            Assert.Equal(
                hasOrder ? HttpStatusCode.BadRequest : HttpStatusCode.Gone,
                await SendAsync(With("cursor", Convert.ToBase64String([.. Enumerable.Repeat((byte)0xff, length)]))));
        }

        JsonObject last = With("cursor", Convert.ToBase64String([0xff, 0xff, 0xff, 0xff]));
        if (hasOrder)
        {
            JsonNode behind = await console.OkAsync(Elements, last);
            Assert.Equal((150, 0, ""), ((int)behind["count"]!, behind["elements"]!.AsArray().Count, (string)behind["cursor"]!));
        }
        else
        {
            Assert.Equal(HttpStatusCode.Gone, await SendAsync(last));
        }

        foreach (JsonObject wrong in (JsonObject[])
        [
            With("cursor", "%"), With("cursor", null), With("cursor", 7), With("type", ""), With("type", "scalar"), With("type", "tree"), With("type", null),
            With("key", ""), With("key", Convert.ToBase64String(new byte[33_000])), With("key", new JsonArray()), With("cache", ""),
            With("count", 1_000_000), With("count", -1),
        ])
        {
            Assert.Equal(HttpStatusCode.BadRequest, await SendAsync(wrong));
        }

        Assert.Equal(HttpStatusCode.NotFound, await SendAsync(With("cache", "none")));
        Assert.Equal(HttpStatusCode.NotFound, await SendAsync(With("key", Convert.ToBase64String([1]))));
        using HttpResponseMessage read = await console.Requests.GetAsync(Elements);
        Assert.Equal(HttpStatusCode.NotFound, read.StatusCode);
    }

    [Fact]
    public async Task A3_element_page_requires_admin_token_and_origin_of_the_console()
    {
        await using RunningServer server = await RunningServer.StartAsync(
            options => options with { ConsoleToken = "a-reader's-token", ConsoleAdminToken = "an-admin's-token" });
        JsonObject request = ConsoleCase.Asking("list", "none");
        foreach ((string? token, string? origin, string? csrf, HttpStatusCode status) in ((string?, string?, string?, HttpStatusCode)[])[
            (null, null, "", HttpStatusCode.Unauthorized),
            ("a-reader's-token", null, null, HttpStatusCode.Forbidden),
            ("an-admin's-token", "http://evil.example", null, HttpStatusCode.Forbidden),
            ("an-admin's-token", null, "", HttpStatusCode.Forbidden),
            ("an-admin's-token", null, null, HttpStatusCode.NotFound)])
        {
            using ConsoleRequests console = new(server.Server.ConsoleEndpoint) { Token = token, Origin = origin, Csrf = csrf };
            Assert.Equal(status, await console.StatusAsync(HttpMethod.Post, Elements, request));
        }
    }

    [Fact]
    public async Task Viewing_elements_counts_no_hits_or_misses()
    {
        await using ConsoleCase console = await ConsoleCase.StartAsync(isGateway: false);
        foreach (string type in (string[])["dictionary", "set", "list", "sorted set"])
        {
            await console.MakeAsync(type, type, 1_500);
            await console.LookAsync(type, type, (string)(await console.LookAsync(type, type))["cursor"]!);
            Assert.Equal(HttpStatusCode.NotFound, await console.StatusAsync(HttpMethod.Post, Elements, ConsoleCase.Asking(type, "none")));
        }

        JsonNode total = (await console.Requests.ReadAsync("/api/overview"))["stats"]!["store"]!["total"]!;
        Assert.Equal((0, 0), ((long)total["hits"]!, (long)total["misses"]!));
    }

    [Fact]
    public async Task Missing_value_is_null_in_every_response()
    {
        await using ConsoleCase console = await ConsoleCase.StartAsync(isGateway: false);
        console.Requests.Csrf = (string)(await console.Requests.ReadAsync("/api/session"))["csrf"]!;
        await console.MakeAsync("set", "k", 3);
        for (int times = 0; times < 30; times++)
        {
            Assert.Null((string?)(await console.OkAsync("/api/item", ConsoleCase.Named("k")))["value"]);
            Assert.Null((string?)(await console.LookAsync("set", "k"))["elements"]![0]!["value"]);
        }
    }

    [Theory]
    [InlineData("dictionary")]
    [InlineData("set")]
    [InlineData("list")]
    [InlineData("sorted set")]
    public async Task Page_of_a_million_elements_has_bounded_size(string type)
    {
        await using ConsoleCase console = await ConsoleCase.StartAsync(isGateway: false, memoryBytes: 8L << 30);
        await console.MakeAsync(type, "k", 1_000_000);
        string cursor = "";
        HashSet<string> seen = [];
        for (int pages = 0; pages < 20; pages++)
        {
            (string text, JsonNode page) = await console.ReadPageTextAsync(type, "k", cursor);
            Assert.InRange(text.Length, 1, 50_000);
            Assert.Equal(1_000_000, (int)page["count"]!);
            seen.UnionWith(page["elements"]!.AsArray().Select(TextOf));
            cursor = (string)page["cursor"]!;
        }

        Assert.InRange(seen.Count, 1_800, 3_000);
        if (type is "list" or "sorted set")
        {
            byte[] last = new byte[sizeof(int)];
            BitConverter.TryWriteBytes(last, 999_990);
            JsonNode end = await console.LookAsync(type, "k", Convert.ToBase64String(last));
            Assert.Equal((999_990, ""), ((int)end["first"]!, (string)end["cursor"]!));
            Assert.Equal(Enumerable.Range(999_990, 10).Select(number => ConsoleCase.TextOf(type, number)), end["elements"]!.AsArray().Select(TextOf));
        }
    }

    private static ByteString Key(string text) => ByteString.CopyFromUtf8(text);

    private static byte[] BytesOf(JsonNode element, string field) => Convert.FromBase64String((string)element[field]!);

    private static string TextOf(JsonNode? element)
    {
        string name = Encoding.UTF8.GetString(BytesOf(element!, "name"));
        string value = (string?)element!["value"] is null ? "" : Encoding.UTF8.GetString(BytesOf(element, "value"));
        return $"{name}={value}:{element["score"]}";
    }
}
