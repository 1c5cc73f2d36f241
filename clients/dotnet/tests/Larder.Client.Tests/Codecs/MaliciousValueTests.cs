using System.Buffers.Binary;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using FsCheck;
using FsCheck.Fluent;
using Larder.Client.Codecs;

namespace Larder.Client.Tests.Codecs;

/// <summary>Tests malicious stored values that another application wrote.</summary>
public sealed class MaliciousValueTests
{
    private static readonly JsonSerializerOptions s_json = new() { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };

    private static readonly Func<byte[], CacheError?>[] s_readers =
    [
        Reader(new BytesCodec()),
        Reader(new TextCodec()),
        Reader(new JsonCodec<JsonNode>((JsonTypeInfo<JsonNode>)s_json.GetTypeInfo(typeof(JsonNode)))),
        Reader(new MessagePackCodec<object>()),
    ];

    [Fact]
    public void Arbitrary_bytes_decode_to_a_value_or_DecodingFailed()
    {
        Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), ArbMap.Default.ArbFor<byte>(), ArbMap.Default.ArbFor<byte>(), static (bytes, content, other) =>
        {
            byte[][] forms =
            [
                bytes,
                [0xC1, 0x4C, 1, (byte)(content % 6), (byte)(other % 2), .. bytes],
                [0xC1, 0x4C, other, content, (byte)(other % 3), .. bytes],
                [0xC1, 0x4C, 1, (byte)(content % 6), 1, 0, 0, 0, (byte)bytes.Length, .. ZlibBytes.Compress(bytes)],
            ];
            return forms.All(static stored => s_readers.All(read => read(stored) is null or { Code: CacheErrorCode.DecodingFailed }));
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(3_000));
    }

    [Theory]
    [InlineData(8 * 1024 * 1024)]
    [InlineData(8 * 1024 * 1024 + 1)]
    [InlineData(80 * 1024 * 1024)]
    [InlineData(uint.MaxValue)]
    public void Decoder_does_not_allocate_memory_for_a_false_length(uint length)
    {
        byte[] stored = [0xC1, 0x4C, 1, 2, 1, 0, 0, 0, 0, .. ZlibBytes.Compress(new byte[100])];
        BinaryPrimitives.WriteUInt32BigEndian(stored.AsSpan(5), length);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(CacheErrorCode.DecodingFailed, s_readers[1](stored)?.Code);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
    }

    [Fact]
    public void Decompression_stops_at_the_announced_length()
    {
        byte[] stored = [0xC1, 0x4C, 1, 2, 1, 0, 0, 0, 100, .. ZlibBytes.Compress(new byte[64 << 20])];
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(CacheErrorCode.DecodingFailed, s_readers[1](stored)?.Code);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
    }

    [Theory]
    [InlineData(63, true)]
    [InlineData(65, false)]
    [InlineData(1_000_000, false)]
    public void Json_is_decoded_to_a_depth_of_64(int depth, bool isRead)
    {
        byte[] stored = [0xC1, 0x4C, 1, 3, 0, .. Encoding.ASCII.GetBytes(new string('[', depth) + new string(']', depth))];
        Assert.Equal(isRead ? null : CacheErrorCode.DecodingFailed, s_readers[2](stored)?.Code);
    }

    [Theory]
    [InlineData(1_000)]
    [InlineData(1_000_000)]
    public void Deeply_nested_MessagePack_fails_to_decode(int depth)
    {
        byte[] stored = [0xC1, 0x4C, 1, 4, 0, .. Enumerable.Repeat((byte)0x91, depth), 1];
        Assert.Equal(CacheErrorCode.DecodingFailed, s_readers[3](stored)?.Code);
    }

    [Theory]
    [InlineData(1_000)]
    [InlineData(4_000_000)]
    public void Decoder_does_not_allocate_memory_for_false_nested_array_lengths(int length)
    {
        byte[] array = [0xDD, .. BitConverter.GetBytes(BinaryPrimitives.ReverseEndianness(length / 2))];
        byte[] nested = [.. Enumerable.Repeat(array, 400).SelectMany(static each => each).Take(length / 4)];
        byte[] stored = [0xC1, 0x4C, 1, 4, 0, .. nested, .. new byte[length - nested.Length]];
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(CacheErrorCode.DecodingFailed, s_readers[3](stored)?.Code);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
    }

    [Fact]
    public void MessagePackOutline_accepts_only_complete_values_of_every_kind()
    {
        object?[] all =
        [
            null, true, 1, -1, 200, -100, 40_000, -30_000, 3_000_000_000, -2_000_000_000, ulong.MaxValue, long.MinValue, 1.5f, 2.5, DateTime.UnixEpoch,
            "a", new string('b', 40), new string('c', 300), new string('d', 70_000), new byte[10], new byte[300], new byte[70_000],
            new int[3], new int[20], new int[70_000], new Dictionary<string, int> { ["k"] = 1 }, Enumerable.Range(0, 20).ToDictionary(static n => n),
            Enumerable.Range(0, 70_000).ToDictionary(static n => n), DateTime.MaxValue.ToUniversalTime(),
            new DateTime(2030, 1, 1, 0, 0, 0, 1, DateTimeKind.Utc),
        ];
        foreach (object? value in all)
        {
            byte[] bytes = MessagePack.MessagePackSerializer.Serialize(value, MessagePack.Resolvers.ContractlessStandardResolver.Options);
            Assert.True(IsWhole(bytes), $"{value}");
            Assert.False(IsWhole(bytes.AsSpan(..^1)), $"{value}");
            Assert.False(IsWhole([.. bytes, 0]), $"{value}");
        }

        foreach (byte[] extension in (byte[][])[[0xD4, 5, 0], [0xD5, 5, 0, 0], [0xD6, 5, .. new byte[4]], [0xD7, 5, .. new byte[8]], [0xD8, 5, .. new byte[16]],
            [0xC7, 1, 5, 0], [0xC8, 0, 1, 5, 0], [0xC9, 0, 0, 0, 1, 5, 0]])
        {
            Assert.True(IsWhole(extension));
            Assert.False(IsWhole(extension.AsSpan(..^1)));
        }
    }

    private static bool IsWhole(ReadOnlySpan<byte> bytes) => MessagePackOutline.FindFault(bytes, DecodeLimits.Default) is null;

    private static Func<byte[], CacheError?> Reader<T>(IValueCodec<T> codec)
    {
        TypedValues<T> values = new(codec, new TypedCacheOptions());
        return stored => values.Decode(stored, out _);
    }
}
