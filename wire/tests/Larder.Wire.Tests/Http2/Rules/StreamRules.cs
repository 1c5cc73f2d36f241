using Larder.Wire.Http2;
using static Larder.Wire.Tests.Http2.Rules.Outcome;
using static Larder.Wire.Tests.Http2.Rules.Rule;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>Rules for streams that were not opened or must not be opened (RFC 9113, section 5.1).</summary>
internal static class StreamRules
{
    public static readonly Rule[] All =
    [
        new("5.1 idle", "DATA", Ends(Http2ErrorCode.ProtocolError), peer => peer.Part(Sender.Idle)),
        new("5.1 idle", "RST_STREAM", Ends(Http2ErrorCode.ProtocolError), _ => Reset(Sender.Idle)),
        new("5.1 idle", "WINDOW_UPDATE", Ends(Http2ErrorCode.ProtocolError), _ => Update(Sender.Idle, 100)),
        new("5.1 idle", "CONTINUATION", Ends(Http2ErrorCode.ProtocolError), peer => Make(Http2FrameType.Continuation, EndHeaders, Sender.Idle, peer.Block())),
        new("5.1 idle", "PRIORITY is ignored", Answers(1), peer => [.. Priority(Sender.Idle, 0), .. peer.Whole(1)]),
        new("5.1 idle", "PRIORITY of the largest weight, exclusive", Passes, _ => Priority(Sender.Idle, int.MinValue, 255)),
        new("5.1 idle", "WINDOW_UPDATE of an even stream", Ends(Http2ErrorCode.ProtocolError, 3), peer => [.. peer.Whole(3), .. Update(2, 1)]),
        new("5.1 idle", "RST_STREAM of an even stream", Ends(Http2ErrorCode.ProtocolError, 3), peer => [.. peer.Whole(3), .. Reset(2)]),
        new("5.1 idle", "HEADERS with an even id, after an answer", Ends(Http2ErrorCode.ProtocolError, 1), peer => [.. peer.Whole(1), .. peer.Open(2)]),
        new("5.1.1", "a stream with an even id", Ends(Http2ErrorCode.ProtocolError), peer => peer.Open(2)),
        new("5.1.1", "the beginning of a block of an even id", Ends(Http2ErrorCode.ProtocolError), peer => Make(Http2FrameType.Headers, 0, 2, peer.Block())),
        new(
            "5.3.1 of RFC 7540",
            "headers that depend on their own stream",
            Ends(Http2ErrorCode.ProtocolError),
            peer => Make(Http2FrameType.Headers, EndHeaders | Weighted, 1, [0, 0, 0, 1, 15, .. peer.Block()])),
        new("5.3.1 of RFC 7540", "a priority that depends on its own stream", Ends(Http2ErrorCode.ProtocolError), _ => Priority(1, 1)),
    ];
}
