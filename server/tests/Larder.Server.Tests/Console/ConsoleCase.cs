using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using Google.Protobuf;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Server.Tests.Fleet;

namespace Larder.Server.Tests.Console;

/// <summary>A console with collections to display. It belongs either to a server with its own store or to a gateway.</summary>
internal sealed class ConsoleCase : IAsyncDisposable
{
    // The numbers of elements and bytes per request. They are below the limits of a request.
    private const int AtOnce = 2_000;
    private const int MaxBytes = 4_000_000;

    private readonly RunningServer _server;
    private readonly RedisServer? _redis;

    private ConsoleCase(RunningServer server, RedisServer? redis)
    {
        _server = server;
        _redis = redis;
        Requests = new ConsoleRequests(server.Server.ConsoleEndpoint);
    }

    public ConsoleRequests Requests { get; }

    public static async Task<ConsoleCase> StartAsync(bool isGateway, long memoryBytes = 64L << 20)
    {
        if (!isGateway)
        {
            return new ConsoleCase(await RunningServer.StartAsync(options => options with { MemoryBytes = memoryBytes }), redis: null);
        }

        RedisServer redis = new();
        return new ConsoleCase(await RunningGateway.StartAsync(redis.Url), redis);
    }

    /// <summary>Returns the bytes of the element, or field value, with this number. The text <paramref name="more"/> is appended.</summary>
    public static byte[] ElementOf(int number, string more = "") => Encoding.UTF8.GetBytes($"e{number.ToString(CultureInfo.InvariantCulture)}-{more}");

    /// <summary>
    /// Returns the expected text of an element in the page, in the form <c>name=value:score</c>. The element must have been created without additional text.
    /// </summary>
    public static string TextOf(string type, int number) => type switch
    {
        "dictionary" => $"f{number}=e{number}-:",
        "sorted set" => string.Create(CultureInfo.InvariantCulture, $"e{number}-=:{ScoreOf(number)}"),
        _ => $"e{number}-=:",
    };

    public static JsonObject Named(string key) => new() { ["cache"] = RunningServer.Cache, ["key"] = Convert.ToBase64String(Encoding.UTF8.GetBytes(key)) };

    public static JsonObject Asking(string type, string key, string cursor = "")
    {
        JsonObject request = Named(key);
        request["type"] = type;
        request["cursor"] = cursor;
        return request;
    }

    /// <summary>Creates a collection of <paramref name="count"/> elements, numbered in order.</summary>
    public async Task MakeAsync(string type, string key, int count, string more = "")
    {
        int step = Math.Min(AtOnce, Math.Max(MaxBytes / (more.Length + 64), 1));
        for (int first = 0; first < count; first += step)
        {
            await CallAsync(Adding(type, ByteString.CopyFromUtf8(key), Enumerable.Range(first, Math.Min(step, count - first)), more));
        }
    }

    public Task CallAsync(IMessage request) => request switch
    {
        DictionarySetRequest => _server.CallAsync<DictionarySetResponse>("/cache_client.Scs/DictionarySet", request).AsTask(),
        SetUnionRequest => _server.CallAsync<SetUnionResponse>("/cache_client.Scs/SetUnion", request).AsTask(),
        ListConcatenateBackRequest => _server.CallAsync<ListConcatenateBackResponse>("/cache_client.Scs/ListConcatenateBack", request).AsTask(),
        _ => _server.CallAsync<SortedSetPutResponse>("/cache_client.Scs/SortedSetPut", request).AsTask(),
    };

    public Task SetAsync(string key) => _server.SetAsync(key, "scalar");

    public async Task<JsonNode> LookAsync(string type, string key, string cursor = "") => (await ReadPageTextAsync(type, key, cursor)).Page;

    public async Task<(string Text, JsonNode Page)> ReadPageTextAsync(string type, string key, string cursor)
    {
        using HttpResponseMessage answer = await Requests.ActAsync(HttpMethod.Post, "/api/elements", Asking(type, key, cursor));
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.StatusCode == HttpStatusCode.OK, text);
        return (text, JsonNode.Parse(text)!);
    }

    public async Task<JsonNode> OkAsync(string path, JsonObject request)
    {
        using HttpResponseMessage answer = await Requests.ActAsync(HttpMethod.Post, path, request);
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.StatusCode == HttpStatusCode.OK, text);
        return JsonNode.Parse(text)!;
    }

    public Task<HttpStatusCode> StatusAsync(HttpMethod method, string path, JsonObject request) => Requests.StatusAsync(method, path, request);

    public async ValueTask DisposeAsync()
    {
        Requests.Dispose();
        await _server.DisposeAsync();
        _redis?.Dispose();
    }

    private static double ScoreOf(int number) => (number - 1_000) / 8.0;

    private static IMessage Adding(string type, ByteString key, IEnumerable<int> numbers, string more)
    {
        IEnumerable<(int Number, ByteString Bytes)> elements = numbers.Select(number => (number, ByteString.CopyFrom(ElementOf(number, more))));
        return type switch
        {
            "dictionary" => new DictionarySetRequest
            {
                Name = key,
                TtlMs = 600_000,
                Items = { elements.Select(one => new DictionaryItem { Field = ByteString.CopyFromUtf8($"f{one.Number}"), Value = one.Bytes }) },
            },
            "set" => new SetUnionRequest { Name = key, TtlMs = 600_000, Elements = { elements.Select(one => one.Bytes) } },
            "list" => new ListConcatenateBackRequest { Name = key, TtlMs = 600_000, Values = { elements.Select(one => one.Bytes) } },
            _ => new SortedSetPutRequest
            {
                Name = key,
                TtlMs = 600_000,
                Elements = { elements.Select(one => new SortedSetElement { Value = one.Bytes, Score = ScoreOf(one.Number) }) },
            },
        };
    }
}
