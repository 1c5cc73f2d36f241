using Larder.Protocol;
using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

/// <summary>Tests that a client uses the header table size that the server allows (RFC 9113, sections 4.3.1 and 6.5.2).</summary>
public sealed class HeaderTableTests
{
    [TimedTheory]
    [InlineData(0)]
    [InlineData(128)]
    [InlineData(2_048)]
    [InlineData(4_095)]
    [InlineData(4_096)]
    [InlineData(65_536)]
    public async Task Client_respects_header_table_limit_of_server_and_announces_reduction(int bytes)
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task connecting = channel.ConnectAsync(CancellationToken.None).AsTask();
        await peer.AcceptAsync((Http2Setting.HeaderTableSize, bytes));
        await connecting.WaitAsync(TestCalls.Patience);
        for (int round = 0; round < 3; round++)
        {
            Task<GetResponse> call = channel.GetAsync($"{round}").AsTask();
            (Http2FrameHeader header, byte[] block) = await peer.ReadAsync(Http2FrameType.Headers);
            Assert.Equal(round == 0 && bytes < 4_096, (block[0] & 0xE0) == 0x20);
            Hpack.HpackDecoderTests.Fields fields = new();
            peer.Decoder.Decode(block, fields);
            Assert.Contains($":path: {TestCalls.GetPath}", fields.Names);
            Assert.True(peer.Decoder.Table.Size <= bytes);
            await peer.SendAsync(peer.Answer(header.StreamId, "answer"));
            await call.WaitAsync(TestCalls.Patience);
        }
    }
}
