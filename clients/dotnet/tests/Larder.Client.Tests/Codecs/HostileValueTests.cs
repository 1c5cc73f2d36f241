using System.Buffers.Binary;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using FsCheck;
using FsCheck.Fluent;
using Larder.Client.Codecs;

namespace Larder.Client.Tests.Codecs;

/// <summary>Stored bytes that somebody else has written, to do harm.</summary>
public sealed class HostileValueTests
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
    public void Any_bytes_are_a_value_or_a_decoding_error()
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
    [InlineData(64 * 1024 * 1024)]
    [InlineData(64 * 1024 * 1024 + 1)]
    [InlineData(uint.MaxValue)]
    public void A_false_length_makes_no_room(uint length)
    {
        byte[] stored = [0xC1, 0x4C, 1, 2, 1, 0, 0, 0, 0, .. ZlibBytes.Compress(new byte[100])];
        BinaryPrimitives.WriteUInt32BigEndian(stored.AsSpan(5), length);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(CacheErrorCode.DecodingFailed, s_readers[1](stored)?.Code);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
    }

    [Fact]
    public void What_becomes_a_gigabyte_is_left_where_it_passes_its_length()
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
    public void Json_is_read_to_a_depth_of_64(int depth, bool isRead)
    {
        byte[] stored = [0xC1, 0x4C, 1, 3, 0, .. Encoding.ASCII.GetBytes(new string('[', depth) + new string(']', depth))];
        Assert.Equal(isRead ? null : CacheErrorCode.DecodingFailed, s_readers[2](stored)?.Code);
    }

    [Theory]
    [InlineData(1_000)]
    [InlineData(1_000_000)]
    public void Deep_messagepack_is_a_decoding_error(int depth)
    {
        byte[] stored = [0xC1, 0x4C, 1, 4, 0, .. Enumerable.Repeat((byte)0x91, depth), 1];
        Assert.Equal(CacheErrorCode.DecodingFailed, s_readers[3](stored)?.Code);
    }

    private static Func<byte[], CacheError?> Reader<T>(IValueCodec<T> codec)
    {
        TypedValues<T> values = new(codec, new TypedCacheOptions());
        return stored => values.Decode(stored, out _);
    }
}
