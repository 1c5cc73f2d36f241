using Larder.Protocol;
using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>
/// Tests the rules that a client must enforce. Three calls are active on streams 1, 3 and 5. The test sends the bytes of a rule and then a ping. The outcome
/// consists of the frames that the client sends until the ping reply or the end of the connection, and of the results of the calls.
/// </summary>
public sealed class ClientRulesTests
{
    private static readonly byte[] LastPing = [9, 8, 7, 6, 5, 4, 3, 2];

    public static TheoryData<string> Names => [.. RuleList.OfServers.Keys];

    [TimedTheory]
    [MemberData(nameof(Names))]
    public async Task Client_enforces_RFC_9113_rule_on_server(string rule)
    {
        (Outcome expected, byte[] said) = (RuleList.OfServers[rule].Outcome, RuleList.OfServers[rule].Sent(Sender.Server));
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect(options => options with { StreamWindowBytes = 65_535 });
        Dictionary<int, Task<GetResponse>> calls = await BeginAsync(peer, channel);
        await peer.SendAsync(said, Make(Http2FrameType.Ping, 0, 0, LastPing));
        (Http2ErrorCode? goodbye, List<(int, Http2ErrorCode)> resets) = await ReadAsync(peer);
        List<int> answered = [];
        foreach ((int stream, Task<GetResponse> call) in calls)
        {
            bool hasReset = expected.Resets.Any(reset => reset.Stream == stream);
            if (expected.Answered.Contains(stream) || hasReset || expected.Goodbye is not null)
            {
                await ((Task)call.WaitAsync(TestCalls.Patience)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }

            if (call.IsCompletedSuccessfully)
            {
                answered.Add(stream);
            }
            else if (hasReset || expected.Goodbye is not null)
            {
                RpcException failure = await Assert.ThrowsAsync<RpcException>(() => call);
                Assert.False(failure.NotProcessed);
                Assert.True(!hasReset || failure.Status.Code == StatusCode.Internal, failure.Message);
            }
        }

        Assert.Equal(expected.ToString(), new Outcome(goodbye, [.. resets], [.. answered]).ToString());
        await AskAsync(peer, channel, reconnects: goodbye is not null || expected.IsLast);
    }

    [TimedTheory]
    [InlineData("3.4: another frame before the settings", Http2FrameType.Ping, 0, 8)]
    [InlineData("3.4: an acknowledgement of settings before them", Http2FrameType.Settings, Http2FrameHeader.Acknowledged, 0)]
    [InlineData("3.4: what is no frame at all", Http2FrameType.Data, 0xFF, 0)]
    internal async Task Client_rejects_server_that_does_not_start_with_settings(string rule, Http2FrameType type, byte flags, int length)
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task connecting = channel.ConnectAsync(CancellationToken.None).AsTask();
        await peer.AcceptRawAsync();
        await peer.SendAsync(Make(type, flags, 0, new byte[length]));
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => connecting.WaitAsync(TestCalls.Patience));
        Assert.True(error.NotProcessed, rule);
    }

    [TimedFact]
    public async Task Section_6_5_3_client_acknowledges_settings()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task connecting = channel.ConnectAsync(CancellationToken.None).AsTask();
        await peer.AcceptAsync((Http2Setting.MaxConcurrentStreams, 100));
        await connecting.WaitAsync(TestCalls.Patience);
        while (await peer.ReadAsync() is { } frame)
        {
            if (frame.Header.Type == Http2FrameType.Settings && frame.Header.Has(Http2FrameHeader.Acknowledged))
            {
                Assert.Empty(frame.Payload);
                return;
            }
        }

        Assert.Fail("The client closed and acknowledged nothing.");
    }

    private static async Task<Dictionary<int, Task<GetResponse>>> BeginAsync(FramePeer peer, RpcChannel channel)
    {
        Task connecting = channel.ConnectAsync(CancellationToken.None).AsTask();
        await peer.AcceptAsync();
        await connecting.WaitAsync(TestCalls.Patience);
        Dictionary<int, Task<GetResponse>> calls = [];
        for (int stream = 1; stream <= 5; stream += 2)
        {
            calls[stream] = channel.GetAsync("k").AsTask();
            Assert.Equal(stream, (await peer.ReadRequestAsync()).StreamId);
        }

        return calls;
    }

    private static async Task<(Http2ErrorCode? Goodbye, List<(int, Http2ErrorCode)> Resets)> ReadAsync(FramePeer peer)
    {
        Http2ErrorCode? goodbye = null;
        List<(int, Http2ErrorCode)> resets = [];
        while (await peer.ReadAsync() is var (header, payload))
        {
            switch (header.Type)
            {
                case Http2FrameType.GoAway:
                    goodbye = (Http2ErrorCode)payload[7];
                    break;
                case Http2FrameType.ResetStream:
                    resets.Add((header.StreamId, (Http2ErrorCode)payload[3]));
                    break;
                case Http2FrameType.Ping when header.Has(Http2FrameHeader.Acknowledged) && payload.SequenceEqual(LastPing):
                    return (null, resets);
            }
        }

        return (goodbye, resets);
    }

    // Checks that the next call succeeds, on this connection or on a new connection.
    private static async Task AskAsync(FramePeer peer, RpcChannel channel, bool reconnects)
    {
        Task<GetResponse> next = channel.GetAsync("k").AsTask();
        if (reconnects)
        {
            await peer.AcceptAsync();
        }

        (int stream, _) = await peer.ReadRequestAsync();
        await peer.SendAsync(Sender.Server.Whole(stream));
        Assert.Equal("v", (await next.WaitAsync(TestCalls.Patience)).Value.ToStringUtf8());
    }
}
