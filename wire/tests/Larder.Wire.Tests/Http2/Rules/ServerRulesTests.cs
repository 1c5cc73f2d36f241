using System.Buffers;
using Larder.Wire.Http2;
using Larder.Wire.Tests.Server.Connections;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>
/// Tests the rules that a server must enforce. The test sends the bytes of a rule and then a ping. The outcome consists of the frames that the server sends
/// until the ping reply or the end of the connection.
/// </summary>
public sealed class ServerRulesTests(ServerRulesTests.EchoServer echo) : IClassFixture<ServerRulesTests.EchoServer>
{
    private const int NextStream = 1_000_001;

    private static readonly byte[] LastPing = [9, 8, 7, 6, 5, 4, 3, 2];

    public static TheoryData<string> Names => [.. RuleList.OfClients.Keys];

    [TimedTheory]
    [MemberData(nameof(Names))]
    public async Task Server_enforces_RFC_9113_rule_on_client(string rule)
    {
        (Outcome expected, byte[] said) = (RuleList.OfClients[rule].Outcome, RuleList.OfClients[rule].Sent(Sender.Client));
        using Http2Peer peer = await OpenAsync(echo.Server.Endpoint);
        await peer.SendAsync([.. said, .. Make(Http2FrameType.Ping, 0, 0, LastPing)]);
        Assert.Equal(expected.ToString(), (await ReadAsync(peer)).ToString());
        if (expected.Goodbye is not null)
        {
            // The server still accepts other connections and calls.
            using Http2Peer next = await OpenAsync(echo.Server.Endpoint);
            await AskAsync(next, 1);
        }
        else if (expected.Resets.Any(reset => reset.Code != Http2ErrorCode.RefusedStream))
        {
            // The connection is also still usable.
            await AskAsync(peer, NextStream);
        }
    }

    [TimedFact]
    public async Task Section_6_5_3_server_acknowledges_settings()
    {
        using Http2Peer peer = await OpenAsync(echo.Server.Endpoint, (Http2Setting.MaxConcurrentStreams, 100));
        Http2Peer.Frame settings;
        do
        {
            settings = await peer.ReadUntilAsync(Http2FrameType.Settings);
        }
        while (!settings.Header.Has(Http2FrameHeader.Acknowledged));

        Assert.Empty(settings.Payload);
    }

    [TimedTheory]
    [InlineData("3.4: another frame before the settings", Http2FrameType.Ping, 0, 8)]
    [InlineData("3.4: an acknowledgement of settings before them", Http2FrameType.Settings, Http2FrameHeader.Acknowledged, 0)]
    internal async Task Server_closes_connection_that_does_not_start_with_settings(string rule, Http2FrameType type, byte flags, int length)
    {
        using Http2Peer peer = await ConnectAsync(echo.Server.Endpoint);
        await peer.SendAsync([.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, .. Make(type, flags, 0, new byte[length])]);
        Assert.True(await peer.ReadGoodbyeAsync() is Http2ErrorCode.ProtocolError, rule);
    }

    [TimedTheory]
    [InlineData("3.4: an invalid preface", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n")]
    [InlineData("3.4: zeros instead of the preface", "\0\0\0\0\0\0\0\0\0")]
    public async Task Server_closes_connection_with_invalid_preface(string rule, string bytes)
    {
        using Http2Peer peer = await ConnectAsync(echo.Server.Endpoint);
        await peer.SendAsync(System.Text.Encoding.ASCII.GetBytes(bytes));
        Assert.True(await peer.ReadGoodbyeAsync() is null or Http2ErrorCode.ProtocolError, rule);
    }

    // Checks that the next call succeeds. The window of this call is enlarged, because the rule may have reduced all windows.
    private static async Task AskAsync(Http2Peer peer, int stream)
    {
        await peer.SendAsync([.. Sender.Client.Whole(stream), .. Rule.Update(stream, 1_000)]);
        while (await peer.ReadUntilAsync(Http2FrameType.Headers) is { } frame)
        {
            if (frame.Header.StreamId == stream && frame.Header.Has(Http2FrameHeader.EndStream))
            {
                return;
            }
        }
    }

    private static async Task<Outcome> ReadAsync(Http2Peer peer)
    {
        Http2ErrorCode? goodbye = null;
        List<(int, Http2ErrorCode)> resets = [];
        List<int> answered = [];
        while (await peer.ReadAsync() is { } frame)
        {
            switch (frame.Header.Type)
            {
                case Http2FrameType.GoAway:
                    goodbye = (Http2ErrorCode)frame.Int32(4);
                    break;
                case Http2FrameType.ResetStream:
                    resets.Add((frame.Header.StreamId, (Http2ErrorCode)frame.Int32(0)));
                    break;
                case Http2FrameType.Headers when frame.Header.Has(Http2FrameHeader.EndStream):
                    answered.Add(frame.Header.StreamId);
                    break;
                case Http2FrameType.Ping when frame.Header.Has(Http2FrameHeader.Acknowledged) && frame.Payload.SequenceEqual(LastPing):
                    return new Outcome(null, [.. resets], [.. answered]);
            }
        }

        return new Outcome(goodbye, [.. resets], [.. answered]);
    }

    public sealed class EchoServer : IAsyncLifetime
    {
        internal TestServer Server { get; private set; } = null!;

        public async Task InitializeAsync() => Server = await TestServer.StartAsync(
            router =>
            {
                router.MapUnary(EchoPath, (request, response, _) =>
                {
                    response.Write(request.ToArray());
                    return default;
                });
                router.MapDuplex(Rule.HoldPath, (_, call) => Task.Delay(Timeout.InfiniteTimeSpan, call.Cancelled));
            },
            hosting: new RpcServerOptions { MaxStreamsPerConnection = 10, WindowBytes = 65_535 });

        public Task DisposeAsync() => Server.DisposeAsync().AsTask();
    }
}
