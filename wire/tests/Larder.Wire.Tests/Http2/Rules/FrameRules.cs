using Larder.Wire.Http2;
using static Larder.Wire.Tests.Http2.Rules.Outcome;
using static Larder.Wire.Tests.Http2.Rules.Rule;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>Rules for frames in general (RFC 9113, sections 4 and 5.5) and for the frames of calls (sections 6.1, 6.2 and 6.10).</summary>
internal static class FrameRules
{
    public static readonly Rule[] All =
    [
        new("4.1", "a frame of an unknown type is ignored", Passes, _ => Make((Http2FrameType)0xB, 0xFF, 0, 1, 2, 3)),
        new(
            "4.1",
            "undefined flags are ignored",
            Answers(1),
            peer => [
                .. Make(Http2FrameType.Headers, EndHeaders | 0xD2 & ~Weighted & ~Padded, 1, peer.Block()),
                .. peer.Last(1, peer.Body, 0xF6),
            ]),
        new("4.1", "the reserved bit of an id is ignored", Passes, _ => [0, 0, 8, 6, 0, 0x80, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]),
        new(
            "4.2",
            "a frame of 16,384 bytes is accepted",
            Answers(1),
            // Field 2 of the protobuf message has 16,376 bytes, so that the frame has exactly 16,384 bytes.
            peer => [.. peer.Open(1), .. peer.Last(1, [0, 0, 0, 0x3F, 0xFB, 0x12, 0xF8, 0x7F, .. new byte[16_376]])]),
        new(
            "4.2",
            "a DATA frame of 16,385 bytes",
            Ends(Http2ErrorCode.FrameSizeError),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.Data, 0, 1, new byte[16_385])]),
        new("4.2", "a HEADERS frame of 16,385 bytes", Ends(Http2ErrorCode.FrameSizeError), _ => Make(Http2FrameType.Headers, EndHeaders, 1, new byte[16_385])),
        new("4.2", "a SETTINGS frame of 163,842 bytes", Ends(Http2ErrorCode.FrameSizeError), _ => Make(Http2FrameType.Settings, 0, 0, new byte[163_842])),
        new(
            "4.3",
            "a block of invalid HPACK",
            Ends(Http2ErrorCode.CompressionError),
            _ => Make(Http2FrameType.Headers, EndHeaders | End, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF)),
        new(
            "4.3",
            "PRIORITY within a block",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [.. Make(Http2FrameType.Headers, 0, 1, peer.Block()), .. Priority(1, 0)]),
        new(
            "4.3",
            "HEADERS of another stream within a block",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [.. Make(Http2FrameType.Headers, 0, 1, peer.Block()), .. peer.Open(3)]),
        new(
            "5.5",
            "an unknown frame within a block",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [.. Make(Http2FrameType.Headers, 0, 1, peer.Block()), .. Make((Http2FrameType)0xB, 0, 0)]),
        new("5.5", "an unknown frame on an unopened stream is ignored", Passes, _ => Make((Http2FrameType)0xFA, 0, 99, 1)),
        new(
            "6.1",
            "a message in three frames",
            Answers(1),
            peer => [
                .. peer.Open(1),
                .. Make(Http2FrameType.Data, 0, 1, peer.Body[..2]),
                .. Make(Http2FrameType.Data, 0, 1, peer.Body[2..5]),
                .. peer.Last(1, peer.Body[5..]),
            ]),
        new("6.1", "data with padding", Answers(1), peer => [.. peer.Open(1), .. peer.Last(1, [2, .. peer.Body, 0, 0], Padded)]),
        new("6.1", "data with only padding", Answers(1), peer => [.. peer.Open(1), .. Make(Http2FrameType.Data, Padded, 1, 2, 0, 0), .. peer.Message(1)]),
        new("6.1", "DATA on the connection", Ends(Http2ErrorCode.ProtocolError), _ => Make(Http2FrameType.Data, End, 0, 1)),
        new(
            "6.1",
            "padding as long as its frame",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.Data, Padded | End, 1, 9, 0, 0, 0, 0, 1, 7, 0, 0)]),
        new("6.1", "padding without a length", Ends(Http2ErrorCode.ProtocolError), peer => [.. peer.Open(1), .. Make(Http2FrameType.Data, Padded, 1)]),
        new(
            "6.2",
            "headers with padding",
            Answers(1),
            peer => [.. Make(Http2FrameType.Headers, EndHeaders | Padded, 1, [2, .. peer.Block(), 0, 0]), .. peer.Message(1)]),
        new(
            "6.2",
            "headers with a priority",
            Answers(1),
            peer => [.. Make(Http2FrameType.Headers, EndHeaders | Weighted, 1, [0x80, 0, 0, 0, 255, .. peer.Block()]), .. peer.Message(1)]),
        new("6.2", "HEADERS on the connection", Ends(Http2ErrorCode.ProtocolError), peer => Make(Http2FrameType.Headers, EndHeaders, 0, peer.Block())),
        new(
            "6.2",
            "padding longer than the block",
            Ends(Http2ErrorCode.ProtocolError),
            peer => Make(Http2FrameType.Headers, EndHeaders | Padded, 1, [255, .. peer.Block()])),
        new("6.2", "a truncated priority", Ends(Http2ErrorCode.FrameSizeError), _ => Make(Http2FrameType.Headers, EndHeaders | Weighted, 1, 0, 0, 0)),
        new("6.2", "an empty block", Resetting(1, Http2ErrorCode.ProtocolError), _ => Make(Http2FrameType.Headers, EndHeaders | End, 1)),
        new(
            "6.10",
            "a block in two frames",
            Answers(1),
            peer => [
                .. Make(Http2FrameType.Headers, 0, 1, peer.Block()[..9]),
                .. Make(Http2FrameType.Continuation, EndHeaders, 1, peer.Block()[9..]),
                .. peer.Message(1),
            ]),
        new(
            "6.10",
            "a block in many frames, some empty",
            Answers(1),
            peer => [
                .. Make(Http2FrameType.Headers, End & 0, 1),
                .. Make(Http2FrameType.Continuation, 0, 1),
                .. Make(Http2FrameType.Continuation, 0, 1, peer.Block()),
                .. Make(Http2FrameType.Continuation, EndHeaders, 1),
                .. peer.Message(1),
            ]),
        new(
            "6.10",
            "DATA within a block",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [.. Make(Http2FrameType.Headers, 0, 1, peer.Block()), .. peer.Message(1)]),
        new(
            "6.10",
            "CONTINUATION on the connection",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [.. Make(Http2FrameType.Headers, 0, 1, peer.Block()), .. Make(Http2FrameType.Continuation, EndHeaders, 0)]),
        new(
            "6.10",
            "CONTINUATION of another stream",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [.. Make(Http2FrameType.Headers, 0, 1, peer.Block()), .. Make(Http2FrameType.Continuation, EndHeaders, 3)]),
        new(
            "6.10",
            "CONTINUATION after the end of a block",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.Continuation, EndHeaders, 1)]),
        new(
            "6.10",
            "CONTINUATION after the last CONTINUATION",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [
                .. Make(Http2FrameType.Headers, 0, 1, peer.Block()),
                .. Make(Http2FrameType.Continuation, EndHeaders, 1),
                .. Make(Http2FrameType.Continuation, EndHeaders, 1),
            ]),
        new(
            "6.10",
            "CONTINUATION after data",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.Data, 0, 1, 0), .. Make(Http2FrameType.Continuation, EndHeaders, 1)]),
        new(
            "6.10",
            "a block above the size limit",
            Ends(Http2ErrorCode.EnhanceYourCalm),
            peer => [
                .. Make(Http2FrameType.Headers, 0, 1, peer.Block()),
                .. Enumerable.Range(0, 5).SelectMany(_ => Make(Http2FrameType.Continuation, 0, 1, new byte[16_384])),
            ]),
        new(
            "6.10",
            "a hundred empty CONTINUATION frames",
            Ends(Http2ErrorCode.EnhanceYourCalm),
            peer => [
                .. Make(Http2FrameType.Headers, 0, 1, peer.Block()),
                .. Enumerable.Range(0, 100).SelectMany(_ => Make(Http2FrameType.Continuation, 0, 1)),
            ]),
        new(
            "6.6",
            "PUSH_PROMISE",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.PushPromise, EndHeaders, 1, [0, 0, 0, 2, .. peer.Block()])]),
    ];
}
