using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using Larder.Client.Codecs;

namespace Larder.Client.Tests.Codecs;

/// <summary>Tests small stored values that would decode to large objects (CODEC-5, CODEC-10).</summary>
public sealed class DecodeLimitTests
{
    private const int LargestBytes = 8 * 1024 * 1024;
    private const int LargestElements = 1_000_000;

    // The codec checks limits before it creates any object. So it allocates at most the decompressed payload.
    private const long Allowance = LargestBytes + (1 << 20);

    [Theory]
    [InlineData(LargestBytes, true)]
    [InlineData(LargestBytes + 1, false)]
    [InlineData(LargestBytes * 10, false)]
    public void Compressed_text_is_decoded_up_to_8_MiB(int length, bool isRead)
    {
        (CacheError? error, long allocated) = Decode(new TextCodec(), Compressed(2, new byte[length]));
        Assert.Equal(isRead ? null : CacheErrorCode.DecodingFailed, error?.Code);
        Assert.Equal(isRead ? null : $"The stored value has {length} bytes when decompressed; MaxDecodedBytes allows at most 8388608.", error?.Reason);
        Assert.True(isRead || allocated < 1 << 20, $"{allocated} bytes were allocated.");
    }

    [Theory]
    [InlineData(0x90, LargestElements, true)]
    [InlineData(0x90, LargestElements + 1, false)]
    [InlineData(0x90, LargestBytes - 5, false)]
    [InlineData(0x80, LargestElements + 1, false)]
    [InlineData(0x80, LargestBytes - 5, false)]
    [InlineData(0x01, LargestElements + 1, false)]
    [InlineData(0x01, LargestBytes - 5, false)]
    public void Compressed_MessagePack_is_decoded_up_to_1000000_elements(byte item, int elements, bool isRead)
    {
        byte[] payload = [0xDD, 0, 0, 0, 0, .. Enumerable.Repeat(item, elements - 1)];
        BinaryPrimitives.WriteInt32BigEndian(payload.AsSpan(1), elements - 1);
        (CacheError? error, long allocated) = Decode(new MessagePackCodec<object>(), Compressed(4, payload));
        AssertLimited(error, allocated, isRead, "The value has more than 1,000,000 elements (MaxElements).");
    }

    [Theory]
    [InlineData("[]", LargestElements, true)]
    [InlineData("[]", LargestElements + 1, false)]
    [InlineData("[]", LargestElements * 2, false)]
    [InlineData("{}", LargestElements + 1, false)]
    [InlineData("0", LargestElements + 1, false)]
    [InlineData("0", LargestElements * 4, false)]
    public void Compressed_json_is_decoded_up_to_1000000_elements(string item, int elements, bool isRead)
    {
        string payload = "[" + string.Join(',', Enumerable.Repeat(item, elements - 1)) + "]";
        (CacheError? error, long allocated) = Decode(Json(), Compressed(3, Encoding.ASCII.GetBytes(payload)));
        AssertLimited(error, allocated, isRead, "The value has more than 1,000,000 elements (MaxElements).");
    }

    [Theory]
    [InlineData(512, true)]
    [InlineData(513, false)]
    [InlineData(5_120, false)]
    [InlineData(LargestBytes / 2, false)]
    public void Json_codec_limits_depth_to_512_if_serializer_allows_more(int depth, bool isRead)
    {
        byte[] payload = Encoding.ASCII.GetBytes(new string('[', depth) + new string(']', depth));
        (CacheError? error, long allocated) = Decode(Json(maxDepth: 100_000), Compressed(3, payload));
        AssertLimited(error, allocated, isRead, "The value is nested more than 512 levels deep (MaxDepth).");
    }

    [Theory]
    [InlineData(512, true)]
    [InlineData(513, false)]
    [InlineData(5_120, false)]
    [InlineData(LargestBytes - 1, false)]
    public void MessagePack_is_decoded_up_to_512_levels(int depth, bool isRead)
    {
        byte[] payload = [.. Enumerable.Repeat((byte)0x91, depth), 0xC0];
        (CacheError? error, long allocated) = Decode(new MessagePackCodec<object>(), Compressed(4, payload));
        AssertLimited(error, allocated, isRead, "The value is nested more than 512 levels deep (MaxDepth).");
    }

    [Theory]
    [InlineData("93ce00002710ce0000271090")]
    [InlineData("93ce0fffffffce0fffffff90")]
    public void Two_dimensional_array_without_items_allocates_nothing(string payload)
    {
        (CacheError? error, long allocated) = Decode(new MessagePackCodec<int[,]>(), Plain(4, Convert.FromHexString(payload)));
        Assert.Equal(CacheErrorCode.DecodingFailed, error?.Code);
        Assert.InRange(allocated, 0, 1 << 20);
    }

    [Fact]
    public void Raised_decode_limits_allow_larger_values()
    {
        string payload = "[" + string.Join(',', Enumerable.Repeat("0", LargestElements * 10)) + "]";
        DecodeLimits limits = new() { MaxElements = (LargestElements * 10) + 1 };
        TypedValues<JsonNode> values = new(Json(limits: limits), new TypedCacheOptions { MaxDecodedBytes = LargestBytes * 10 });
        Assert.Null(values.Decode(Compressed(3, Encoding.ASCII.GetBytes(payload)), out JsonNode? read));
        Assert.NotNull(read);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(-1, 1)]
    [InlineData(1, 0)]
    [InlineData(1, 1_025)]
    public void Invalid_decode_limits_are_rejected(int maxElements, int maxDepth)
    {
        DecodeLimits limits = new() { MaxElements = maxElements, MaxDepth = maxDepth };
        Assert.Throws<ArgumentOutOfRangeException>(() => Json(limits: limits));
        Assert.Throws<ArgumentOutOfRangeException>(() => new MessagePackCodec<object>(limits: limits));
    }

    [Fact]
    public void Skipped_json_comments_are_not_counted_as_elements()
    {
        JsonSerializerOptions options = new()
        {
            TypeInfoResolver = new DefaultJsonTypeInfoResolver(),
            ReadCommentHandling = JsonCommentHandling.Skip,
            AllowTrailingCommas = true,
        };
        JsonCodec<JsonNode> codec = new((JsonTypeInfo<JsonNode>)options.GetTypeInfo(typeof(JsonNode)), new DecodeLimits { MaxElements = 3 });
        Assert.Null(Decode(codec, Plain(3, "[1, /* \" [[[[ */ 2,]"u8)).Error);
        Assert.Contains("MaxElements", Decode(codec, Plain(3, "[1, /* \" [[[[ */ 2, 3,]"u8)).Error?.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Encode_checks_limits_if_writer_does_not_expose_written_bytes()
    {
        DecodeLimits limits = new() { MaxElements = 3 };
        HidingWriter output = new();
        Assert.Throws<ArgumentException>(() => Json(limits: limits).Encode(new JsonArray(1, 2, 3), output));
        Assert.Throws<ArgumentException>(() => new MessagePackCodec<int[]>(limits: limits).Encode([1, 2, 3], output));
        Assert.Empty(output.Bytes.WrittenSpan.ToArray());
        Json(limits: limits).Encode(new JsonArray(1, 2), output);
        new MessagePackCodec<int[]>(limits: limits).Encode([1, 2], output);
        Assert.Equal([.. "[1,2]"u8, 0x92, 1, 2], output.Bytes.WrittenSpan.ToArray());
    }

    [Fact]
    public void Values_stored_by_earlier_clients_are_decoded()
    {
        (byte Content, string Hex, string Json)[] stored =
        [
            (3, "c14c0103007b226e616d65223a2278222c2274616773223a5b312c747275652c6e756c6c5d7d", """{"name":"x","tags":[1,true,null]}"""),
            (3, "c14c01030100000036789c8b564a241928c50200243013ef", $"""["{new string('a', 50)}"]"""),
        ];
        foreach ((byte _, string hex, string json) in stored)
        {
            TypedValues<JsonNode> values = new(Json(), new TypedCacheOptions());
            Assert.Null(values.Decode(Convert.FromHexString(hex), out JsonNode? read));
            Assert.True(JsonNode.DeepEquals(JsonNode.Parse(json), read));
        }

        // The largest values that the server stores: an array of numbers, and a string.
        int[] numbers = [.. Enumerable.Repeat(-70_000, 999_999)];
        ArrayBufferWriter<byte> packed = new();
        new MessagePackCodec<int[]>().Encode(numbers, packed);
        Assert.Null(Decode(new MessagePackCodec<int[]>(), Plain(4, packed.WrittenSpan)).Error);
        Assert.Null(Decode(new TextCodec(), Plain(2, new byte[5_000_186])).Error);
    }

    private static JsonCodec<JsonNode> Json(int maxDepth = 1_024, DecodeLimits? limits = null) => new(
        (JsonTypeInfo<JsonNode>)new JsonSerializerOptions { TypeInfoResolver = new DefaultJsonTypeInfoResolver(), MaxDepth = maxDepth }
            .GetTypeInfo(typeof(JsonNode)),
        limits);

    private static byte[] Plain(byte content, ReadOnlySpan<byte> payload) => [0xC1, 0x4C, 1, content, 0, .. payload];

    private static byte[] Compressed(byte content, byte[] payload)
    {
        byte[] stored = [0xC1, 0x4C, 1, content, 1, 0, 0, 0, 0, .. ZlibBytes.Compress(payload)];
        BinaryPrimitives.WriteInt32BigEndian(stored.AsSpan(5), payload.Length);
        return stored;
    }

    private static (CacheError? Error, long Allocated) Decode<T>(IValueCodec<T> codec, byte[] stored)
    {
        TypedValues<T> values = new(codec, new TypedCacheOptions());
        long before = GC.GetAllocatedBytesForCurrentThread();
        CacheError? error = values.Decode(stored, out _);
        return (error, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static void AssertLimited(CacheError? error, long allocated, bool isRead, string reason)
    {
        Assert.Equal(isRead ? null : CacheErrorCode.DecodingFailed, error?.Code);
        Assert.Equal(isRead ? null : reason, error?.Reason);
        Assert.True(isRead || allocated < Allowance, $"{allocated} bytes were allocated.");
    }

    private sealed class HidingWriter : IBufferWriter<byte>
    {
        public ArrayBufferWriter<byte> Bytes { get; } = new();

        public void Advance(int count) => Bytes.Advance(count);

        public Memory<byte> GetMemory(int sizeHint = 0) => Bytes.GetMemory(sizeHint);

        public Span<byte> GetSpan(int sizeHint = 0) => Bytes.GetSpan(sizeHint);
    }
}
