using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Faults;

namespace Larder.Server.Tests.Console;

/// <summary>Tests of reads and actions of the console's API, and of the requests that the console rejects.</summary>
public sealed class ConsoleApiTests
{
    private const string Reader = "a-reader's-token";
    private const string Admin = "an-admin's-token";

    [Fact]
    public async Task Overview_returns_statistics_clients_and_sampled_keys()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        JsonNode told = null!;
        await SetAsync(server, "k<b>"u8.ToArray(), "v"u8.ToArray());
        await Until.TrueAsync(
            async () =>
            {
                // A call is counted only after the server has started to send the response.
                told = await console.ReadAsync("/api/overview");
                return new[] { told["stats"]!["rpcs"], told["clients"], told["hottest"], told["slowest"] }.All(list => list!.AsArray().Count > 0);
            },
            "the call is counted");
        Assert.Equal("Set", (string?)told["stats"]!["rpcs"]![0]!["rpc"]);
        Assert.Empty(told["stats"]!["store"]!["caches"]!.AsArray());
        Assert.Equal(1, (int)told["clients"]![0]!["connections"]!);
        Assert.Equal(Convert.ToBase64String("k<b>"u8), (string?)told["hottest"]![0]!["key"]);
        Assert.Equal("Set", (string?)told["slowest"]![0]!["call"]);
        Assert.Null(told["whyNotReady"]);
    }

    [Fact]
    public async Task Cache_with_special_characters_is_created_flushed_and_deleted()
    {
        const string Name = "<script>alert(1)</script>\u202e\"é";
        await using RunningServer server = await RunningServer.StartAsync();
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        JsonObject named = new() { ["cache"] = Name };
        Assert.Equal(HttpStatusCode.OK, await console.StatusAsync(HttpMethod.Post, "/api/caches", named));
        Assert.Equal(HttpStatusCode.Conflict, await console.StatusAsync(HttpMethod.Post, "/api/caches", named));
        Assert.Contains((await CachesAsync(console)).Keys, name => name == Name);
        await SetAsync(server, "k"u8.ToArray(), "v"u8.ToArray());
        Assert.Equal(1, (await CachesAsync(console))["cache"]);
        Assert.Equal(HttpStatusCode.OK, await console.StatusAsync(HttpMethod.Post, "/api/caches/flush", new JsonObject { ["cache"] = "cache" }));
        Assert.Equal(0, (await CachesAsync(console))["cache"]);
        Assert.Equal(HttpStatusCode.OK, await console.StatusAsync(HttpMethod.Delete, "/api/caches", named));
        Assert.Equal(HttpStatusCode.NotFound, await console.StatusAsync(HttpMethod.Delete, "/api/caches", named));
        Assert.Equal(HttpStatusCode.NotFound, await console.StatusAsync(HttpMethod.Post, "/api/caches/flush", named));
        Assert.DoesNotContain((await CachesAsync(console)).Keys, name => name == Name);
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("{}")]
    [InlineData("{\"cache\":null}")]
    [InlineData("{\"cache\":7}")]
    [InlineData("{\"cache\":\" \"}")]
    [InlineData("{\"cache\":\"a\",\"maxBytes\":1}")]
    [InlineData("{\"cache\":\"a\",\"maxBytes\":-1}")]
    [InlineData("{\"cache\":\"a\",\"maxBytes\":1e30}")]
    [InlineData("{\"cache\":\"\\ud800\"}")]
    [InlineData("{\"cache\":\"a\",\"cache\":\"b\"}")]
    [InlineData("{\"cache\":\"a\",\"more\":1}")]
    [InlineData("{\"cache\":\"a\"")]
    public async Task Invalid_create_request_is_rejected_and_changes_nothing(string body)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        using HttpResponseMessage answer = await console.ActAsync(HttpMethod.Post, "/api/caches", body);
        Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode);
        Assert.Equal(["cache"], (await CachesAsync(console)).Keys);
    }

    [Fact]
    public async Task Oversized_request_is_rejected()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        using HttpResponseMessage answer = await console.ActAsync(HttpMethod.Post, "/api/caches", $"{{\"cache\":\"{new string('a', 60_000)}\"}}");
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, answer.StatusCode);
    }

    [Theory]
    [InlineData("http://evil.example", null, "application/json", HttpStatusCode.Forbidden)]
    [InlineData("null", null, "application/json", HttpStatusCode.Forbidden)]
    [InlineData("http://127.0.0.1:1", null, "application/json", HttpStatusCode.Forbidden)]
    [InlineData(null, "", "application/json", HttpStatusCode.Forbidden)]
    [InlineData(null, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "application/json", HttpStatusCode.Forbidden)]
    [InlineData(null, null, "text/plain", HttpStatusCode.UnsupportedMediaType)]
    [InlineData(null, null, "application/x-www-form-urlencoded", HttpStatusCode.UnsupportedMediaType)]
    public async Task A3_action_with_foreign_origin_or_invalid_CSRF_token_is_rejected(string? origin, string? csrf, string type, HttpStatusCode status)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint) { Origin = origin, Csrf = csrf, ContentType = type };
        Assert.Equal(status, await console.StatusAsync(HttpMethod.Post, "/api/caches", new JsonObject { ["cache"] = "theirs" }));
        Assert.Equal(status, await console.StatusAsync(HttpMethod.Delete, "/api/caches", new JsonObject { ["cache"] = "cache" }));
        Assert.Equal(["cache"], (await CachesAsync(console)).Keys);
    }

    [Fact]
    public async Task A3_cross_site_read_is_rejected()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using HttpClient http = new();
        foreach ((string site, HttpStatusCode status) in ((string, HttpStatusCode)[])[
            ("cross-site", HttpStatusCode.Forbidden),
            ("same-site", HttpStatusCode.Forbidden),
            ("same-origin", HttpStatusCode.OK),
            ("none", HttpStatusCode.OK)])
        {
            using HttpRequestMessage request = new(HttpMethod.Get, new Uri(server.Server.ConsoleEndpoint, "/api/session"));
            request.Headers.Add("Sec-Fetch-Site", site);
            using HttpResponseMessage answer = await http.SendAsync(request);
            Assert.Equal(status, answer.StatusCode);
        }
    }

    [Theory]
    [InlineData("0.0.0.0", null, Reader, HttpStatusCode.Forbidden)]
    [InlineData("0.0.0.0", Admin, Reader, HttpStatusCode.Forbidden)]
    [InlineData("0.0.0.0", Admin, Admin, HttpStatusCode.OK)]
    [InlineData("127.0.0.1", Admin, Reader, HttpStatusCode.Forbidden)]
    [InlineData("127.0.0.1", Admin, Admin, HttpStatusCode.OK)]
    [InlineData("127.0.0.1", null, Reader, HttpStatusCode.OK)]
    public async Task A1_non_loopback_console_requires_admin_token_for_changes_and_keys(string host, string? admin, string shown, HttpStatusCode status)
    {
        await using RunningServer server = await RunningServer.StartAsync(
            options => options with { ConsoleHost = IPAddress.Parse(host), ConsoleToken = Reader, ConsoleAdminToken = admin });
        Uri address = new($"http://127.0.0.1:{server.Server.ConsoleEndpoint.Port}");
        using ConsoleRequests console = new(address) { Token = shown };
        bool mayAct = status == HttpStatusCode.OK;
        Assert.Equal(mayAct, (bool)(await console.ReadAsync("/api/session"))["mayAct"]!);
        Assert.Equal(mayAct, (await console.ReadAsync("/api/overview"))["hottest"] is not null);
        using HttpResponseMessage monitor = await console.GetAsync("/api/monitor?after=0");
        Assert.Equal(status, monitor.StatusCode);
        Assert.Equal(status, await console.StatusAsync(HttpMethod.Post, "/api/caches", new JsonObject { ["cache"] = "made" }));
        Assert.Equal(mayAct, (await CachesAsync(console)).ContainsKey("made"));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("wrong")]
    [InlineData("")]
    public async Task A1_request_without_valid_token_is_rejected(string? token)
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { ConsoleToken = Reader, ConsoleAdminToken = Admin });
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint) { Token = token, Csrf = "" };
        foreach (string path in (string[])["/api/session", "/api/overview", "/api/monitor", "/api/caches", "/api/nothing"])
        {
            using HttpResponseMessage answer = await console.GetAsync(path);
            Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
        }

        Assert.Equal(HttpStatusCode.Unauthorized, await console.StatusAsync(HttpMethod.Delete, "/api/caches", new JsonObject { ["cache"] = "cache" }));
        using HttpResponseMessage page = await console.GetAsync("/");
        Assert.Equal(HttpStatusCode.OK, page.StatusCode);
    }

    [Fact]
    public async Task Key_search_filters_by_prefix_and_type_across_pages()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        for (int number = 0; number < 250; number++)
        {
            await SetAsync(server, Encoding.UTF8.GetBytes($"user:{number}"), new byte[number]);
        }

        await SetAsync(server, Encoding.UTF8.GetBytes("other"), [1]);
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        HashSet<string> found = [];
        string cursor = "";
        int pages = 0;
        do
        {
            JsonNode page = await ActAsync(console, "/api/keys", Search("cache", "user:", "scalar", cursor));
            Assert.InRange(page["keys"]!.AsArray().Count, 0, 2 * 100);
            found.UnionWith(page["keys"]!.AsArray().Select(key => Encoding.UTF8.GetString(Convert.FromBase64String((string)key!["key"]!))));
            cursor = (string)page["cursor"]!;
            pages++;
        }
        while (cursor.Length > 0);
        Assert.Equal([.. Enumerable.Range(0, 250).Select(number => $"user:{number}")], found);
        Assert.True(pages > 1);
        Assert.Empty((await ActAsync(console, "/api/keys", Search("cache", "", "list", "")))["keys"]!.AsArray());
        Assert.Equal(HttpStatusCode.NotFound, await console.StatusAsync(HttpMethod.Post, "/api/keys", Search("none", "", "", "")));
        Assert.Equal(HttpStatusCode.BadRequest, await console.StatusAsync(HttpMethod.Post, "/api/keys", Search("cache", "", "tree", "")));
        Assert.Equal(HttpStatusCode.Gone, await console.StatusAsync(HttpMethod.Post, "/api/keys", Search("cache", "", "", Convert.ToBase64String([1, 2]))));
    }

    [Fact]
    public async Task Item_view_truncates_value_and_does_not_count_a_hit()
    {
        byte[] key = [0xff, 0x00, .. "<img src=x onerror=alert(1)>"u8];
        byte[] value = new byte[4_800_000];
        new Random(1).NextBytes(value);
        await using RunningServer server = await RunningServer.StartAsync();
        await SetAsync(server, key, value);
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        JsonObject named = new() { ["cache"] = "cache", ["key"] = Convert.ToBase64String(key) };
        JsonNode item = await ActAsync(console, "/api/item", named);
        Assert.Equal(("scalar", 4_800_000), ((string)item["type"]!, (int)item["bytes"]!));
        Assert.InRange((long)item["remainingMs"]!, 1, 60_000);
        Assert.Equal(value[..65_536], Convert.FromBase64String((string)item["value"]!));
        Assert.Equal(0, (long)(await console.ReadAsync("/api/overview"))["stats"]!["store"]!["total"]!["hits"]!);
        Assert.Equal(HttpStatusCode.OK, await console.StatusAsync(HttpMethod.Delete, "/api/item", named));
        Assert.Equal(HttpStatusCode.NotFound, await console.StatusAsync(HttpMethod.Post, "/api/item", named));
    }

    [Fact]
    public async Task Key_search_truncates_long_key_that_cannot_be_opened()
    {
        byte[] key = Encoding.UTF8.GetBytes(new string('k', 40_000));
        await using RunningServer server = await RunningServer.StartAsync();
        await SetAsync(server, key, [1]);
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint);
        JsonNode found = (await ActAsync(console, "/api/keys", Search("cache", "", "", "")))["keys"]![0]!;
        Assert.Equal((40_000, 1_024), ((int)found["keyBytes"]!, Convert.FromBase64String((string)found["key"]!).Length));
        foreach (string wrong in (string[])["", Convert.ToBase64String(key[..33_000]), "%%%"])
        {
            Assert.Equal(
                HttpStatusCode.BadRequest,
                await console.StatusAsync(HttpMethod.Post, "/api/item", new JsonObject { ["cache"] = "cache", ["key"] = wrong }));
        }
    }

    [Fact]
    public async Task A1_keys_and_values_require_the_admin_token()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { ConsoleToken = Reader, ConsoleAdminToken = Admin });
        using ConsoleRequests console = new(server.Server.ConsoleEndpoint) { Token = Reader };
        JsonObject item = new() { ["cache"] = "cache", ["key"] = Convert.ToBase64String([1]) };
        Assert.Equal(HttpStatusCode.Forbidden, await console.StatusAsync(HttpMethod.Post, "/api/keys", Search("cache", "", "", "")));
        Assert.Equal(HttpStatusCode.Forbidden, await console.StatusAsync(HttpMethod.Post, "/api/item", item));
        Assert.Equal(HttpStatusCode.Forbidden, await console.StatusAsync(HttpMethod.Delete, "/api/item", item));
        console.Token = Admin;
        Assert.Equal(HttpStatusCode.OK, await console.StatusAsync(HttpMethod.Post, "/api/keys", Search("cache", "", "", "")));
    }

    private static JsonObject Search(string cache, string prefix, string type, string cursor) => new()
    {
        ["cache"] = cache,
        ["prefix"] = Convert.ToBase64String(Encoding.UTF8.GetBytes(prefix)),
        ["type"] = type,
        ["cursor"] = cursor,
    };

    private static async Task<JsonNode> ActAsync(ConsoleRequests console, string path, JsonNode body)
    {
        using HttpResponseMessage answer = await console.ActAsync(HttpMethod.Post, path, body);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        return JsonNode.Parse(await answer.Content.ReadAsStringAsync())!;
    }

    private static async Task SetAsync(RunningServer server, byte[] key, byte[] value) => await server.CallAsync<SetResponse>(
        "/cache_client.Scs/Set",
        new SetRequest { Key = ByteString.CopyFrom(key), Value = ByteString.CopyFrom(value), TtlMs = 60_000 });

    private static async Task<Dictionary<string, long>> CachesAsync(ConsoleRequests console)
    {
        JsonNode told = await new ConsoleRequests(console.Address) { Token = console.Token }.ReadAsync("/api/caches");
        return told["caches"]!.AsArray().ToDictionary(cache => (string)cache!["name"]!, cache => (long)cache!["stats"]!["entries"]!);
    }
}
