using Larder.Protocol;
using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

/// <summary>An answer that breaks a rule of RFC 9113 ends its own call, with an error, and no other.</summary>
public sealed class AnswerRulesTests
{
    private static readonly (string Name, string Value) Status = (":status", "200");
    private static readonly (string Name, string Value) Type = ("content-type", "application/grpc");

    private static readonly Dictionary<string, (Http2ErrorCode Code, Func<FramePeer, int, byte[]> Frames)> Broken = new()
    {
        ["6.3: a priority of four bytes"] = (Http2ErrorCode.FrameSizeError, (_, id) => FramePeer.Frame(Http2FrameType.Priority, 0, id, 0, 0, 0, 0)),
        ["6.9: a call's window widened by nothing"] = (Http2ErrorCode.ProtocolError, (_, id) => FramePeer.WindowUpdate(id, 0)),
        ["6.9.1: a call's window too wide"] = (Http2ErrorCode.FlowControlError, (_, id) => FramePeer.WindowUpdate(id, int.MaxValue)),
        ["8.1: data before the headers"] = (Http2ErrorCode.ProtocolError, (_, id) => FramePeer.Frame(Http2FrameType.Data, 0, id, 1)),
        ["8.1: a third block"] = (Http2ErrorCode.ProtocolError, (peer, id) => [.. peer.AnswerHeaders(id), .. peer.Headers(id, endsStream: false, ("x", "1"))]),
        ["8.2.1: a name with a capital"] = (Http2ErrorCode.ProtocolError, (peer, id) => peer.Headers(id, endsStream: false, Status, Type, ("Bad", "1"))),
        ["8.2.1: a value with LF"] = (Http2ErrorCode.ProtocolError, (peer, id) => peer.Headers(id, endsStream: false, Status, Type, ("x", "1\n2"))),
        ["8.2.2: connection"] = (Http2ErrorCode.ProtocolError, (peer, id) => peer.Headers(id, endsStream: false, Status, Type, ("connection", "close"))),
        ["8.3: a request's pseudo-header"] = (Http2ErrorCode.ProtocolError, (peer, id) => peer.Headers(id, endsStream: false, Status, (":path", "/"), Type)),
        ["8.3: a status after a regular field"] = (Http2ErrorCode.ProtocolError, (peer, id) => peer.Headers(id, endsStream: false, Type, Status)),
        ["8.3: a status among the trailers"] = (
            Http2ErrorCode.ProtocolError,
            (peer, id) => [.. peer.AnswerHeaders(id), .. peer.Headers(id, endsStream: true, Status, ("grpc-status", "0"))]),
        ["8.3.2: no status"] = (Http2ErrorCode.ProtocolError, (peer, id) => peer.Headers(id, endsStream: false, Type)),
        ["8.3.2: two statuses"] = (Http2ErrorCode.ProtocolError, (peer, id) => peer.Headers(id, endsStream: false, Status, Status, Type)),
    };

    public static TheoryData<string> Rules => [.. Broken.Keys];

    [PatientTheory]
    [MemberData(nameof(Rules))]
    public async Task A_broken_answer_ends_its_call_and_the_next_is_answered(string rule)
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task<GetResponse> call = channel.GetAsync("k").AsTask();
        await peer.AcceptAsync();
        (int id, _) = await peer.ReadRequestAsync();
        await peer.SendAsync(Broken[rule].Frames(peer, id));
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(TestCalls.Patience));
        Assert.Equal(StatusCode.Internal, error.Status.Code);
        (_, byte[] code) = await peer.ReadAsync(Http2FrameType.ResetStream, id);
        Assert.Equal(FramePeer.Int32((int)Broken[rule].Code), code);
        Task<GetResponse> next = channel.GetAsync("k").AsTask();
        (id, _) = await peer.ReadRequestAsync();
        await peer.SendAsync(peer.Answer(id, "next"));
        Assert.Equal("next", (await next.WaitAsync(TestCalls.Patience)).Value.ToStringUtf8());
    }

    [PatientTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_server_that_does_not_begin_with_its_settings_is_left(bool answersFirst)
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task connecting = channel.ConnectAsync(CancellationToken.None).AsTask();
        await peer.AcceptRawAsync();
        await peer.SendAsync(
            answersFirst ? FramePeer.Frame(Http2FrameType.Settings, Http2FrameHeader.Acknowledged, 0) : FramePeer.Frame(Http2FrameType.Ping, 0, 0, new byte[8])
        );
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => connecting.WaitAsync(TestCalls.Patience));
        Assert.True(error.NotProcessed);
    }

    [PatientTheory]
    [InlineData(0)]
    [InlineData(128)]
    [InlineData(2_048)]
    [InlineData(4_095)]
    [InlineData(4_096)]
    [InlineData(65_536)]
    public async Task Requests_fit_the_table_of_a_server_and_say_so_where_it_is_smaller(int bytes)
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
