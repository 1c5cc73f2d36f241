using Larder.Wire.Http2;
using static Larder.Wire.Tests.Http2.Rules.Outcome;
using static Larder.Wire.Tests.Http2.Rules.Rule;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>Rules for frames that are not part of a call (RFC 9113, sections 6.3 to 6.8, and 7).</summary>
internal static class ControlFrameRules
{
    public static readonly Rule[] All =
    [
        new("6.3", "PRIORITY on the connection", Ends(Http2ErrorCode.ProtocolError), _ => Priority(0, 1)),
        new(
            "6.3",
            "PRIORITY of four bytes, on an open stream",
            Resetting(1, Http2ErrorCode.FrameSizeError),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.Priority, 0, 1, 0, 0, 0, 0)]),
        new(
            "6.3",
            "PRIORITY of six bytes, on an open stream",
            Resetting(1, Http2ErrorCode.FrameSizeError),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.Priority, 0, 1, 0, 0, 0, 0, 1, 1)]),
        new(
            "6.3",
            "PRIORITY of four bytes, on an idle stream",
            Ends(Http2ErrorCode.FrameSizeError),
            _ => Make(Http2FrameType.Priority, 0, Sender.Idle, 0, 0, 0, 0)),
        new(
            "6.3",
            "PRIORITY of four bytes, on a closed stream, is ignored",
            Answers(1),
            peer => [.. peer.Whole(1), .. Make(Http2FrameType.Priority, 0, 1, 0, 0, 0, 0)]),
        new("6.3", "a priority of weight 1", Answers(1), peer => [.. Priority(1, 0, 0), .. peer.Whole(1)]),
        new("6.3", "a priority that depends on another stream", Answers(1), peer => [.. Priority(1, 3), .. peer.Whole(1)]),
        new("6.4", "RST_STREAM on the connection", Ends(Http2ErrorCode.ProtocolError), _ => Reset(0)),
        new(
            "6.4",
            "RST_STREAM of three bytes",
            Ends(Http2ErrorCode.FrameSizeError),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.ResetStream, 0, 1, 0, 0, 8)]),
        new(
            "6.4",
            "RST_STREAM of five bytes",
            Ends(Http2ErrorCode.FrameSizeError),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.ResetStream, 0, 1, 0, 0, 0, 8, 0)]),
        new("6.4", "RST_STREAM ends only its own stream", Answers(3), peer => [.. peer.Open(1), .. peer.Open(3), .. Reset(1), .. peer.Message(3)]),
        new("6.5", "SETTINGS on a stream", Ends(Http2ErrorCode.ProtocolError), _ => Make(Http2FrameType.Settings, 0, 1, 0, 3, 0, 0, 0, 9)),
        new("6.5", "truncated SETTINGS", Ends(Http2ErrorCode.FrameSizeError), _ => Make(Http2FrameType.Settings, 0, 0, 0, 3, 0)),
        new(
            "6.5",
            "an acknowledgement with a payload",
            Ends(Http2ErrorCode.FrameSizeError),
            _ => Make(Http2FrameType.Settings, Http2FrameHeader.Acknowledged, 0, 0, 3, 0, 0, 0, 9)),
        new("6.5", "an acknowledgement is ignored", Passes, _ => Make(Http2FrameType.Settings, Http2FrameHeader.Acknowledged, 0)),
        new("6.5.2", "an unknown setting is ignored", Passes, _ => Settings(((Http2Setting)0xFF, 1))),
        new("6.5.2", "ENABLE_PUSH of 2", Ends(Http2ErrorCode.ProtocolError), _ => Settings((Http2Setting.EnablePush, 2))),
        new("6.5.2", "an initial window of 2^31", Ends(Http2ErrorCode.FlowControlError), _ => Settings((Http2Setting.InitialWindowSize, 0x8000_0000))),
        new("6.5.2", "a frame size of 16,383", Ends(Http2ErrorCode.ProtocolError), _ => Settings((Http2Setting.MaxFrameSize, 16_383))),
        new("6.5.2", "a frame size of 2^24", Ends(Http2ErrorCode.ProtocolError), _ => Settings((Http2Setting.MaxFrameSize, 1 << 24))),
        new(
            "6.5.2",
            "every setting at its maximum",
            Answers(1),
            peer => [
                .. Settings(
                    (Http2Setting.HeaderTableSize, uint.MaxValue),
                    (Http2Setting.MaxConcurrentStreams, uint.MaxValue),
                    (Http2Setting.InitialWindowSize, int.MaxValue),
                    (Http2Setting.MaxFrameSize, (1 << 24) - 1),
                    (Http2Setting.MaxHeaderListSize, uint.MaxValue)),
                .. peer.Whole(1),
            ]),
        new("6.7", "PING on a stream", Ends(Http2ErrorCode.ProtocolError), _ => Make(Http2FrameType.Ping, 0, 1, new byte[8])),
        new("6.7", "PING of seven bytes", Ends(Http2ErrorCode.FrameSizeError), _ => Make(Http2FrameType.Ping, 0, 0, new byte[7])),
        new("6.7", "PING of nine bytes", Ends(Http2ErrorCode.FrameSizeError), _ => Make(Http2FrameType.Ping, 0, 0, new byte[9])),
        new("6.7", "an acknowledgement without a ping is ignored", Passes, _ => Make(Http2FrameType.Ping, Http2FrameHeader.Acknowledged, 0, new byte[8])),
        new("6.8", "GOAWAY on a stream", Ends(Http2ErrorCode.ProtocolError), _ => Make(Http2FrameType.GoAway, 0, 1, new byte[8])),
        new("6.8", "truncated GOAWAY", Ends(Http2ErrorCode.FrameSizeError), _ => Make(Http2FrameType.GoAway, 0, 0, new byte[7])),
        new("7", "GOAWAY with an unknown code", Leaves, _ => Make(Http2FrameType.GoAway, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0xFF)),
        new("7", "RST_STREAM with an unknown code", Answers(3), peer => [.. peer.Open(1), .. Reset(1, 0xFF), .. peer.Whole(3)]),
    ];
}
