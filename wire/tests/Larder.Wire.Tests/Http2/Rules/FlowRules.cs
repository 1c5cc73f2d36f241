using Larder.Wire.Http2;
using static Larder.Wire.Tests.Http2.Rules.Outcome;
using static Larder.Wire.Tests.Http2.Rules.Rule;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>Rules for flow control (RFC 9113, section 6.9).</summary>
internal static class FlowRules
{
    public static readonly Rule[] All =
    [
        new("6.9", "a connection window increment of 0", Ends(Http2ErrorCode.ProtocolError), _ => Update(0, 0)),
        new("6.9", "a stream window increment of 0", Resetting(1, Http2ErrorCode.ProtocolError), peer => [.. peer.Open(1), .. Update(1, 0)]),
        new(
            "6.9",
            "WINDOW_UPDATE of three bytes",
            Ends(Http2ErrorCode.FrameSizeError),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.WindowUpdate, 0, 1, 0, 0, 1)]),
        new(
            "6.9",
            "WINDOW_UPDATE of five bytes on the connection",
            Ends(Http2ErrorCode.FrameSizeError),
            _ => Make(Http2FrameType.WindowUpdate, 0, 0, 0, 0, 0, 0, 1)),
        new("6.9", "the reserved bit of an increment is ignored", Passes, _ => Update(0, int.MinValue | 1)),
        new("6.9.1", "a connection window of 2^31-1", Passes, peer => Update(0, int.MaxValue - 65_535 + peer.Used(0))),
        new("6.9.1", "a connection window above 2^31-1", Ends(Http2ErrorCode.FlowControlError), peer => Update(0, int.MaxValue - 65_534 + peer.Used(0))),
        new("6.9.1", "a stream window of 2^31-1", Passes, peer => [.. peer.Open(1), .. Update(1, int.MaxValue - 65_535 + peer.Used(1))]),
        new(
            "6.9.1",
            "a stream window above 2^31-1 resets that stream",
            Resetting(1, Http2ErrorCode.FlowControlError, 3),
            peer => [.. peer.Open(1), .. Update(1, int.MaxValue - 65_534 + peer.Used(1)), .. peer.Whole(3)]),
        new(
            "6.9.1",
            "a stream window of twice the maximum resets that stream",
            Resetting(1, Http2ErrorCode.FlowControlError),
            peer => [.. peer.Open(1), .. Update(1, int.MaxValue), .. Update(1, int.MaxValue)]),
        new(
            "6.9.2",
            "an initial window that makes a stream window too large",
            Ends(Http2ErrorCode.FlowControlError),
            peer => [.. peer.Open(1), .. Update(1, 1_000), .. Settings((Http2Setting.InitialWindowSize, int.MaxValue))]),
    ];
}
