using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire.Tests.Http2.Hpack;

public sealed class HpackEncoderTests
{
    private static readonly RpcHeaders Headers = new([new("authorization", "token"), new("cache", "one")]);

    [Fact]
    public void Repeated_fields_are_encoded_in_one_byte_each()
    {
        HpackEncoder encoder = new();
        HpackDecoder decoder = new(4096, 1 << 16);
        RequestFields fields = new(new Uri("http://cache.example:8080"), acceptGzip: true);
        byte[] first = Encode(fields, encoder);
        byte[] second = Encode(fields, encoder);
        Assert.Equal(9, second.Length);
        const string expected =
            ":method: POST|:scheme: http|:authority: cache.example:8080|:path: /s/r|te: trailers|content-type: application/grpc|grpc-accept-encoding: "
                + "identity,gzip|authorization: token|cache: one";
        Assert.Equal(expected, Decode(decoder, first));
        Assert.Equal(expected, Decode(decoder, second));
    }

    [Fact]
    public void Encoder_with_full_table_sends_new_fields_as_literals()
    {
        HpackEncoder encoder = new();
        HpackDecoder decoder = new(4096, 1 << 16);
        for (int round = 0; round < 2; round++)
        {
            for (int number = 0; number < 300; number++)
            {
                Assert.Equal($"cache: name-{number}", Decode(decoder, Encode(encoder, "cache", $"name-{number}")));
            }
        }

        int count = encoder.Count;
        Assert.InRange(decoder.Table.Size, 3_900, 4_096);
        Assert.Equal(2, Encode(encoder, "cache", "name-0").Length);
        Encode(encoder, "cache", "name-299");
        Assert.Equal(count, encoder.Count);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(4096)]
    public void Encoder_announces_and_respects_smaller_table_size_of_server(int size)
    {
        HpackEncoder encoder = new();
        RequestFields fields = new(new Uri("http://h"), acceptGzip: false);
        HpackDecoder decoder = new(4096, 1 << 16);
        HeaderBlock block = new(encoder, "/s/r", Headers);
        PooledBuffer scratch = new(64);
        string expected = Decode(decoder, block.Encode(fields, scratch).ToArray());
        encoder.Resize(size);
        for (int call = 0; call < 3; call++)
        {
            Assert.Equal(expected, Decode(decoder, block.Encode(fields, scratch).ToArray()));
            Assert.True(decoder.Table.Size <= size);
        }
    }

    [Fact]
    public void Only_first_timeout_value_is_indexed()
    {
        HpackEncoder encoder = new();
        HpackDecoder decoder = new(4096, 1 << 16);
        int[] lengths = [.. new[] { "5000m", "5000m", "4999m", "5000m" }.Select(value =>
        {
            PooledBuffer bytes = new(64);
            encoder.WriteVarying(bytes, "grpc-timeout", value);
            Assert.Equal($"grpc-timeout: {value}", Decode(decoder, bytes.WrittenSpan.ToArray()));
            return bytes.Written;
        })];
        Assert.Equal([1 + 1 + 12 + 1 + 5, 1, 2 + 1 + 5, 1], lengths);
        Assert.Equal(1, decoder.Table.Count);
    }

    [Fact]
    public void Long_values_round_trip()
    {
        HpackEncoder encoder = new();
        string value = new('v', 20_000);
        Assert.Equal("k: " + value, Decode(new HpackDecoder(4096, 1 << 16), Encode(encoder, "k", value)));
    }

    private static byte[] Encode(RequestFields fields, HpackEncoder encoder)
    {
        PooledBuffer bytes = new(64);
        fields.Write(encoder, bytes, "/s/r", Headers);
        return bytes.WrittenSpan.ToArray();
    }

    private static byte[] Encode(HpackEncoder encoder, string name, string value)
    {
        PooledBuffer bytes = new(64);
        encoder.Write(bytes, name, value);
        return bytes.WrittenSpan.ToArray();
    }

    private static string Decode(HpackDecoder decoder, byte[] block)
    {
        HpackDecoderTests.Fields fields = new();
        decoder.Decode(block, fields);
        return string.Join("|", fields.Names);
    }
}
