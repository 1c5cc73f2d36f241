using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using Larder.Client.Codecs;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Codecs;

/// <summary>Runs the cases of <c>protocol/vectors/clients/codecs.json</c>, which all clients share.</summary>
public sealed class CodecVectorTests
{
    private static readonly ClientVectors s_cases = new("codecs.json");

    // The serializer allows deeper nesting than the codec, so that the codec's limit applies.
    private static readonly JsonSerializerOptions s_json = new() { TypeInfoResolver = new DefaultJsonTypeInfoResolver(), MaxDepth = 1_024 };

    public static TheoryData<string> Names => [.. s_cases.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Codecs_match_shared_test_vectors(string name)
    {
        JsonElement given = s_cases[name];
        TypedCacheOptions options = new()
        {
            CompressAbove = given.TryGetProperty("compressAbove", out JsonElement above) ? above.GetInt32() : null,
            MaxDecodedBytes = given.TryGetProperty("maxDecodedBytes", out JsonElement most) ? most.GetInt32() : new TypedCacheOptions().MaxDecodedBytes,
        };
        DecodeLimits limits = new();
        limits = limits with
        {
            MaxElements = given.TryGetProperty("maxElements", out JsonElement elements) ? elements.GetInt32() : limits.MaxElements,
            MaxDepth = given.TryGetProperty("maxDepth", out JsonElement depth) ? depth.GetInt32() : limits.MaxDepth,
        };
        switch (given.GetProperty("codec").GetString())
        {
            case "bytes":
                Run(given, new TypedValues<byte[]>(new BytesCodec(), options), Bytes, static (then, read) => Assert.Equal(Bytes(then), read));
                break;
            case "text":
                Run(given, new TypedValues<string>(new TextCodec(), options), Text, static (then, read) => Assert.Equal(Text(then), read));
                break;
            case "json":
                JsonCodec<JsonNode> json = new((JsonTypeInfo<JsonNode>)s_json.GetTypeInfo(typeof(JsonNode)), limits);
                Run(given, new TypedValues<JsonNode>(json, options), Node, static (then, read) => Assert.True(JsonNode.DeepEquals(Node(then), read)));
                break;
            case "messagepack":
                Run(given, new TypedValues<object>(new MessagePackCodec<object>(limits: limits), options), Plain, static (then, read) =>
                    Assert.True(JsonNode.DeepEquals(Node(then), JsonSerializer.SerializeToNode(Named(read), s_json))));
                break;
            default:
                Assert.Fail("There is no such codec.");
                break;
        }
    }

    private static void Run<T>(JsonElement given, TypedValues<T> values, Func<JsonElement, T?> valueOf, Action<JsonElement, T?> same)
    {
        JsonElement then = given.GetProperty("then");
        string? code = then.TryGetProperty("error", out JsonElement error) ? error.GetString() : null;
        if (given.TryGetProperty("decode", out JsonElement stored))
        {
            CacheError? failure = values.Decode(Stored(given, stored), out T? read);
            Assert.Equal(code, failure?.Code.ToString());
            if (code is null && !then.TryGetProperty("isRead", out _))
            {
                same(then, read);
            }

            return;
        }

        if (then.TryGetProperty("throws", out _))
        {
            ArgumentException excess = Assert.Throws<ArgumentException>(() => values.Encode(valueOf(given.GetProperty("encode")), out _));
            Assert.Contains("Max", excess.Message, StringComparison.Ordinal);
            return;
        }

        Assert.Equal(code, values.Encode(valueOf(given.GetProperty("encode")), out byte[] bytes)?.Code.ToString());
        string hex = Convert.ToHexStringLower(bytes);
        Assert.Equal(then.TryGetProperty("hex", out JsonElement whole) ? whole.GetString() : hex, hex);
        Assert.StartsWith(then.TryGetProperty("head", out JsonElement head) ? head.GetString()! : "", hex, StringComparison.Ordinal);
        Assert.Equal(then.TryGetProperty("length", out JsonElement length) ? length.GetInt32() : bytes.Length, bytes.Length);
        Assert.InRange(bytes.Length, 0, then.TryGetProperty("atMost", out JsonElement atMost) ? atMost.GetInt32() : int.MaxValue);
    }

    private static byte[] Stored(JsonElement given, JsonElement head)
    {
        byte[] begin = Convert.FromHexString(head.GetString()!);
        if (!given.TryGetProperty("fill", out JsonElement fill))
        {
            return begin;
        }

        byte[] each = Convert.FromHexString(fill.GetString()!);
        byte[] end = given.TryGetProperty("end", out JsonElement last) ? Convert.FromHexString(last.GetString()!) : [];
        byte[] stored = new byte[begin.Length + (each.Length * given.GetProperty("times").GetInt32()) + end.Length];
        begin.CopyTo(stored, 0);
        for (int at = begin.Length; at < stored.Length - end.Length; at += each.Length)
        {
            each.CopyTo(stored, at);
        }

        end.CopyTo(stored, stored.Length - end.Length);
        return stored;
    }

    private static byte[]? Bytes(JsonElement said) => said.TryGetProperty("valueHex", out JsonElement hex) ? Convert.FromHexString(hex.GetString()!) : null;

    private static string? Text(JsonElement said) => said.TryGetProperty("repeat", out JsonElement each)
        ? string.Concat(Enumerable.Repeat(each.GetString(), said.GetProperty("times").GetInt32()))
        : said.GetProperty("value").GetString();

    private static JsonNode? Node(JsonElement said) => JsonNode.Parse(said.GetProperty("value").GetRawText());

    private static object? Plain(JsonElement said) => said.GetProperty("value") is { ValueKind: JsonValueKind.Array } array
        ? array.EnumerateArray().Select(static each => each.ValueKind == JsonValueKind.Number ? (object)each.GetInt32() : each.GetBoolean()).ToArray()
        : null;

    private static object? Named(object? read) => read switch
    {
        Dictionary<object, object?> map => map.ToDictionary(static each => (string)each.Key, static each => Named(each.Value)),
        object?[] array => Array.ConvertAll(array, Named),
        _ => read,
    };
}
