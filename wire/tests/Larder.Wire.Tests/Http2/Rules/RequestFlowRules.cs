using Larder.Wire.Http2;
using static Larder.Wire.Tests.Http2.Rules.Outcome;
using static Larder.Wire.Tests.Http2.Rules.Rule;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>Rules for a client's windows and settings, and their effect on responses (RFC 9113, sections 6.5.3, 6.8 and 6.9).</summary>
internal static class RequestFlowRules
{
    public static readonly Rule[] All =
    [
        new("6.5.2", "ENABLE_PUSH of 1", Answers(1), peer => [.. Settings((Http2Setting.EnablePush, 1)), .. peer.Whole(1)]),
        new(
            "6.5.3",
            "the last value of a repeated setting applies",
            Answers(1),
            peer => [.. Settings((Http2Setting.InitialWindowSize, 0), (Http2Setting.InitialWindowSize, 100)), .. peer.Whole(1)]),
        new(
            "6.8",
            "calls active at the client's GOAWAY are answered",
            Answers(1),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.GoAway, 0, 0, new byte[8]), .. peer.Message(1)]),
        new("6.9.1", "a response within a window of one byte", Passes, peer => [.. Settings((Http2Setting.InitialWindowSize, 1)), .. peer.Whole(1)]),
        new(
            "6.9.1",
            "data above the connection window",
            Ends(Http2ErrorCode.FlowControlError),
            _ => [.. Make(Http2FrameType.Headers, EndHeaders, 1, Block(HoldPath)), .. Flood(5)]),
        new(
            "6.9.2",
            "a smaller initial window delays a response until it grows",
            Answers(1),
            peer => [.. Settings((Http2Setting.InitialWindowSize, 3)), .. peer.Whole(1), .. Settings((Http2Setting.InitialWindowSize, 100))]),
        new(
            "6.9.2",
            "a negative window delays the response until it is positive",
            Passes,
            peer => [.. Settings((Http2Setting.InitialWindowSize, 3)), .. peer.Whole(1), .. Settings((Http2Setting.InitialWindowSize, 0)), .. Update(1, 3)]),
        new(
            "6.9.2",
            "a response continues after its negative window has grown",
            Answers(1),
            peer => [
                .. Settings((Http2Setting.InitialWindowSize, 3)),
                .. peer.Whole(1),
                .. Settings((Http2Setting.InitialWindowSize, 0)),
                .. Update(1, 3),
                .. Update(1, 3),
            ]),
    ];

    // Frames of 16,384 bytes each, which together exceed a window of 65,535. They are sent to a call that does not read.
    private static byte[] Flood(int frames) => [.. Enumerable.Repeat(Make(Http2FrameType.Data, 0, 1, new byte[16_384]), frames).SelectMany(frame => frame)];
}
