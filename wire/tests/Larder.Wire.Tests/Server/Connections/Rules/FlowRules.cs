using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;
using static Larder.Wire.Tests.Server.Connections.Rules.Outcome;
using static Larder.Wire.Tests.Server.Connections.Rules.Rule;

namespace Larder.Wire.Tests.Server.Connections.Rules;

/// <summary>Flow control: RFC 9113, 6.9.</summary>
internal static class FlowRules
{
    public static readonly Rule[] All =
    [
        new("6.9", "a connection's window widened by nothing", Ends(Http2ErrorCode.ProtocolError), Update(0, 0)),
        new("6.9", "a stream's window widened by nothing", Resetting(1, Http2ErrorCode.ProtocolError), [.. Open(1), .. Update(1, 0)]),
        new("6.9", "WINDOW_UPDATE of three bytes", Ends(Http2ErrorCode.FrameSizeError), [.. Open(1), .. Make(Http2FrameType.WindowUpdate, 0, 1, 0, 0, 1)]),
        new(
            "6.9",
            "WINDOW_UPDATE of five bytes on the connection",
            Ends(Http2ErrorCode.FrameSizeError),
            Make(Http2FrameType.WindowUpdate, 0, 0, 0, 0, 0, 0, 1)),
        new("6.9", "the reserved bit of an increment is passed over", Passes, Update(0, int.MinValue | 1)),
        new("6.9.1", "an answer within a window of one byte", Passes, [.. Settings((Http2Setting.InitialWindowSize, 1)), .. Whole(1)]),
        new("6.9.1", "a connection's window at 2^31-1", Passes, Update(0, int.MaxValue - 65_535)),
        new("6.9.1", "a connection's window one past it", Ends(Http2ErrorCode.FlowControlError), Update(0, int.MaxValue - 65_534)),
        new("6.9.1", "a stream's window at 2^31-1", Passes, [.. Open(1), .. Update(1, int.MaxValue - 65_535)]),
        new(
            "6.9.1",
            "a stream's window one past it ends that stream",
            Resetting(1, Http2ErrorCode.FlowControlError, 3),
            [.. Open(1), .. Update(1, int.MaxValue - 65_534), .. Whole(3)]),
        new(
            "6.9.1",
            "a stream's window twice the largest ends that stream",
            Resetting(1, Http2ErrorCode.FlowControlError),
            [.. Open(1), .. Update(1, int.MaxValue), .. Update(1, int.MaxValue)]),
        new(
            "6.9.1",
            "data over the connection's window",
            Ends(Http2ErrorCode.FlowControlError),
            [.. Make(Http2FrameType.Headers, EndHeaders, 1, Block(HoldPath)), .. Flood(5)]),
        new(
            "6.9.2",
            "a smaller initial window holds an answer back, a larger one lets it go",
            Answers(1),
            [.. Settings((Http2Setting.InitialWindowSize, 3)), .. Whole(1), .. Settings((Http2Setting.InitialWindowSize, 100))]),
        new(
            "6.9.2",
            "a window that became negative is to be widened past nothing",
            Passes,
            [.. Settings((Http2Setting.InitialWindowSize, 3)), .. Whole(1), .. Settings((Http2Setting.InitialWindowSize, 0)), .. Update(1, 3)]),
        new(
            "6.9.2",
            "and then goes on",
            Answers(1),
            [.. Settings((Http2Setting.InitialWindowSize, 3)), .. Whole(1), .. Settings((Http2Setting.InitialWindowSize, 0)), .. Update(1, 3), .. Update(1, 3)]
        ),
        new(
            "6.9.2",
            "an initial window that makes a stream's too wide",
            Ends(Http2ErrorCode.FlowControlError),
            [.. Open(1), .. Update(1, 1_000), .. Settings((Http2Setting.InitialWindowSize, int.MaxValue))]),
    ];

    // More frames of 16,384 bytes than a window of 65,535 holds, to a call that reads nothing.
    private static byte[] Flood(int frames) => [.. Enumerable.Repeat(Make(Http2FrameType.Data, 0, 1, new byte[16_384]), frames).SelectMany(frame => frame)];
}
