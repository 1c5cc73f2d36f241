using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;
using Larder.Wire.Tests.Http2.Hpack;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Server.Connections;

/// <summary>Tests that response headers use the table size that the client announces (RFC 7541, section 4.2, and RFC 9113, section 4.3.1).</summary>
public sealed class HeaderTableSizeTests
{
    private const int DefaultBytes = 4_096;

    [TimedTheory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(129)]
    [InlineData(2_048)]
    [InlineData(4_095)]
    [InlineData(4_096)]
    [InlineData(4_097)]
    [InlineData(65_536)]
    [InlineData(uint.MaxValue)]
    public async Task Response_headers_fit_table_size_of_client(uint bytes)
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        using Http2Peer peer = await OpenAsync(server.Endpoint, (Http2Setting.HeaderTableSize, bytes));
        AnswerReader answers = new(Math.Min(bytes, DefaultBytes));
        for (int call = 0; call < 3; call++)
        {
            await peer.SendAsync(Call((call * 2) + 1, [], TestCalls.GetPath));
            Assert.Equal([":status: 200", "content-type: application/grpc"], await answers.ReadAsync(peer));
            Assert.Equal(["grpc-status: 0"], await answers.ReadAsync(peer));
        }
    }

    [TimedTheory]
    [InlineData(0, 4_096)]
    [InlineData(64, 200)]
    [InlineData(128, 4_096)]
    [InlineData(4_096, 0)]
    [InlineData(100, 50)]
    public async Task Encoder_announces_smallest_and_last_size_after_table_resizes(uint first, uint last)
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        using Http2Peer peer = await OpenAsync(server.Endpoint);
        AnswerReader answers = new(DefaultBytes);
        await peer.SendAsync(Call(1, [], TestCalls.GetPath));
        await answers.ReadAsync(peer);
        await answers.ReadAsync(peer);
        await peer.SendAsync([
            .. Settings((Http2Setting.HeaderTableSize, first)),
            .. Settings((Http2Setting.HeaderTableSize, last)),
            .. Call(3, [], TestCalls.GetPath),
        ]);
        answers.Changed(Math.Min(first, last), last);
        Assert.Equal([":status: 200", "content-type: application/grpc"], await answers.ReadAsync(peer));
        Assert.Equal(["grpc-status: 0"], await answers.ReadAsync(peer));
    }

    /// <summary>A decoder that requires an announcement when the table becomes smaller. The decoders of other libraries also require it.</summary>
    private sealed class AnswerReader
    {
        private readonly HpackDecoder _decoder = new(DefaultBytes, 1 << 16);
        private long _smallest;
        private long _last;
        private bool _mustAnnounceTableSize;

        public AnswerReader(long bytes) => Changed(bytes, bytes);

        public void Changed(long smallest, long last)
        {
            (_smallest, _last) = (smallest, last);
            _mustAnnounceTableSize = smallest < DefaultBytes;
        }

        public async Task<IEnumerable<string>> ReadAsync(Http2Peer peer)
        {
            byte[] block = (await peer.ReadUntilAsync(Http2FrameType.Headers)).Payload;
            if (_mustAnnounceTableSize)
            {
                Assert.Equal(0x20, block[0] & 0xE0);
                HpackReader reader = new(block);
                Assert.True(reader.ReadInteger(5) <= _smallest, "The table is said at its smallest first.");
                _mustAnnounceTableSize = false;
            }

            HpackDecoderTests.Fields fields = new();
            _decoder.Decode(block, fields);
            Assert.True(_decoder.Table.MaxSize <= _last, $"A table of {_decoder.Table.MaxSize} bytes is used where {_last} are allowed.");
            return fields.Names;
        }
    }
}
