using System.Buffers;
using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Server.Connections.Rules;

/// <summary>Each rule's case is sent, and then a ping: what is said up to its answer, or to the connection's end, is the outcome.</summary>
public sealed class RuleTests(RuleTests.EchoServer echo) : IClassFixture<RuleTests.EchoServer>
{
    private static readonly byte[] LastPing = [9, 8, 7, 6, 5, 4, 3, 2];

    private static readonly Dictionary<string, Rule> All = ((IEnumerable<Rule>)[
        .. FrameRules.All, .. StreamRules.All, .. ControlFrameRules.All, .. FlowRules.All, .. MessageRules.All, .. FieldSectionRules.All,
    ]).ToDictionary(rule => rule.Name);

    public static TheoryData<string> Names => [.. All.Keys];

    [PatientTheory]
    [MemberData(nameof(Names))]
    public async Task A_client_is_held_to_RFC_9113(string rule)
    {
        using Http2Peer peer = await OpenAsync(echo.Server.Endpoint);
        await peer.SendAsync([.. All[rule].Bytes, .. Make(Http2FrameType.Ping, 0, 0, LastPing)]);
        Assert.Equal(All[rule].Outcome.ToString(), (await ReadAsync(peer)).ToString());
    }

    [PatientTheory]
    [InlineData("3.4: a preface that is none", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n")]
    [InlineData("3.4: nothing of a preface", "\0\0\0\0\0\0\0\0\0")]
    public async Task A_connection_without_the_preface_is_closed(string rule, string bytes)
    {
        using Http2Peer peer = await ConnectAsync(echo.Server.Endpoint);
        await peer.SendAsync(System.Text.Encoding.ASCII.GetBytes(bytes));
        Assert.True(await peer.ReadGoodbyeAsync() is null or Http2ErrorCode.ProtocolError, rule);
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
