using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire.Tests.Http2.Hpack;

/// <summary>Tests the decoder with the examples of RFC 7541, appendix C, and with invalid blocks.</summary>
public sealed class HpackDecoderTests
{
    [Fact]
    public void C_2_Decode_reads_each_field_representation()
    {
        HpackDecoder decoder = new(4096, 1 << 16);
        Assert.Equal("custom-key: custom-header", Decode(decoder, "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572"));
        Assert.Equal(":path: /sample/path", Decode(decoder, "040c 2f73 616d 706c 652f 7061 7468"));
        Assert.Equal("password: secret", Decode(decoder, "1008 7061 7373 776f 7264 0673 6563 7265 74"));
        Assert.Equal(":method: GET", Decode(decoder, "82"));
        Assert.Equal((1, 55), (decoder.Table.Count, decoder.Table.Size));
    }

    [Theory]
    [InlineData(
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65")]
    [InlineData("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", "8286 84be 5886 a8eb 1064 9cbf", "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf")]
    public void C_3_and_C_4_Decode_reads_plain_and_Huffman_requests(string first, string second, string third)
    {
        HpackDecoder decoder = new(4096, 1 << 16);
        Assert.Equal(":method: GET, :scheme: http, :path: /, :authority: www.example.com", Decode(decoder, first));
        Assert.Equal(57, decoder.Table.Size);
        Assert.Equal(":method: GET, :scheme: http, :path: /, :authority: www.example.com, cache-control: no-cache", Decode(decoder, second));
        Assert.Equal(110, decoder.Table.Size);
        Assert.Equal(":method: GET, :scheme: https, :path: /index.html, :authority: www.example.com, custom-key: custom-value", Decode(decoder, third));
        Assert.Equal(164, decoder.Table.Size);
    }

    [Theory]
    [InlineData(
        "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 "
            + "2e65 7861 6d70 6c65 2e63 6f6d",
        "4803 3330 37c1 c0bf",
        "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f "
            + "5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31")]
    [InlineData(
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
        "4883 640e ffc1 c0bf",
        "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 "
            + "ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07")]
    public void C_5_and_C_6_Decode_reads_responses_with_evictions(string first, string second, string third)
    {
        const string common = "cache-control: private, date: Mon, 21 Oct 2013 20:13:21 GMT, location: https://www.example.com";
        HpackDecoder decoder = new(256, 1 << 16);
        Assert.Equal(":status: 302, " + common, Decode(decoder, first));
        Assert.Equal(222, decoder.Table.Size);
        Assert.Equal(":status: 307, " + common, Decode(decoder, second));
        Assert.Equal(222, decoder.Table.Size);
        Assert.Equal(
            ":status: 200, cache-control: private, date: Mon, 21 Oct 2013 20:13:22 GMT, location: https://www.example.com, content-encoding: gzip, "
                + "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
            Decode(decoder, third));
        Assert.Equal(215, decoder.Table.Size);
    }

    [Theory]
    [InlineData("80")]
    [InlineData("be")]
    [InlineData("ffffffffff7f")]
    [InlineData("40")]
    [InlineData("400a63")]
    [InlineData("3fe21f")]
    [InlineData("8220")]
    [InlineData("000161 84ffffffff")]
    [InlineData("000161 8100")]
    public void Decode_rejects_malformed_block_with_CompressionError(string block)
    {
        Http2ConnectionException error = Assert.Throws<Http2ConnectionException>(() => Decode(new HpackDecoder(4096, 1 << 16), block));
        Assert.Equal(Http2ErrorCode.CompressionError, error.Code);
    }

    [Fact]
    public void Decode_of_truncated_block_fails_or_returns_fewer_fields()
    {
        byte[] block = Bytes(
            "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3");
        for (int length = 0; length < block.Length; length++)
        {
            Fields fields = new();
            Exception? error = Record.Exception(() => new HpackDecoder(256, 1 << 16).Decode(block.AsSpan(0, length), fields));
            Assert.True(error is null or Http2ConnectionException);
            Assert.True(fields.Names.Count < 4);
        }
    }

    [Fact]
    public void Decode_rejects_header_list_above_limit()
    {
        // Each field is sent as one byte but counts as 42 bytes.
        HpackDecoder decoder = new(4096, 1_000);
        Decode(decoder, "4803 3330 32");
        Http2ConnectionException error = Assert.Throws<Http2ConnectionException>(() => Decode(decoder, string.Concat(Enumerable.Repeat("be", 100))));
        Assert.Equal(Http2ErrorCode.EnhanceYourCalm, error.Code);
    }

    [Fact]
    public void Smaller_table_size_evicts_oldest_fields()
    {
        HpackDecoder decoder = new(4096, 1 << 16);
        Decode(decoder, "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d");
        Assert.Equal(":method: GET", Decode(decoder, "2082"));
        Assert.Equal((0, 0), (decoder.Table.Count, decoder.Table.Size));
    }

    internal static byte[] Bytes(string hex) => Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));

    private static string Decode(HpackDecoder decoder, string hex)
    {
        Fields fields = new();
        decoder.Decode(Bytes(hex), fields);
        return string.Join(", ", fields.Names);
    }

    internal sealed class Fields : IHeaderSink
    {
        public List<string> Names { get; } = [];

        public void Add(HeaderField field) => Names.Add($"{field.Name}: {field.Value}");
    }
}
