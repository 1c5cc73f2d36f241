using Larder.Wire.Http2;
using static Larder.Wire.Tests.Http2.Rules.Outcome;
using static Larder.Wire.Tests.Http2.Rules.Rule;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>Rules for the frames that a client may send in each state of a stream (RFC 9113, section 5.1).</summary>
internal static class RequestStreamRules
{
    private static readonly byte[] Malformed = [.. Sender.Client.Open(1, ("BAD", "x"))];

    public static readonly Rule[] All =
    [
        // The response cannot be sent, because the window is closed. So the client has half-closed the stream, but the server has not ended the stream.
        new("5.1 half-closed (remote)", "DATA", Resetting(1, Http2ErrorCode.StreamClosed), peer => [.. Blocked(1), .. peer.Message(1)]),
        new("5.1 half-closed (remote)", "HEADERS", Resetting(1, Http2ErrorCode.StreamClosed), peer => [.. Blocked(1), .. peer.Trailers(1)]),
        new(
            "5.1 half-closed (remote)",
            "CONTINUATION",
            Ends(Http2ErrorCode.ProtocolError),
            peer => [.. Blocked(1), .. Make(Http2FrameType.Continuation, EndHeaders, 1, peer.Block())]),
        new("5.1 half-closed (remote)", "WINDOW_UPDATE continues the response", Answers(1), _ => [.. Blocked(1), .. Update(1, 100_000)]),
        new("5.1 half-closed (remote)", "PRIORITY is ignored", Passes, _ => [.. Blocked(1), .. Priority(1, 0)]),
        new("5.1 half-closed (remote)", "RST_STREAM ends the stream", Passes, _ => [.. Blocked(1), .. Reset(1)]),
        new(
            "5.1 half-closed (remote)",
            "data after the server's reset is dropped",
            Resetting(1, Http2ErrorCode.StreamClosed),
            peer => [.. Blocked(1), .. peer.Message(1), .. peer.Message(1)]),
        new("5.1 closed by both", "DATA", Ends(Http2ErrorCode.StreamClosed, 1), peer => [.. peer.Whole(1), .. peer.Message(1)]),
        new("5.1 closed by both", "HEADERS", Ends(Http2ErrorCode.StreamClosed, 1), peer => [.. peer.Whole(1), .. peer.Open(1)]),
        new(
            "5.1 closed by both",
            "CONTINUATION",
            Ends(Http2ErrorCode.ProtocolError, 1),
            peer => [.. peer.Whole(1), .. Make(Http2FrameType.Continuation, EndHeaders, 1, peer.Block())]),
        new("5.1 closed by both", "WINDOW_UPDATE is ignored", Answers(1), peer => [.. peer.Whole(1), .. Update(1, 100)]),
        new("5.1 closed by both", "RST_STREAM is ignored", Answers(1), peer => [.. peer.Whole(1), .. Reset(1)]),
        new("5.1 closed by both", "PRIORITY is ignored", Answers(1), peer => [.. peer.Whole(1), .. Priority(1, 0)]),
        new(
            "5.1 closed by both",
            "DATA on an early one of 600 streams",
            Ends(Http2ErrorCode.StreamClosed, [.. Enumerable.Range(0, 600).Select(call => (call * 2) + 1)]),
            peer => [.. Enumerable.Range(0, 600).SelectMany(call => peer.Whole((call * 2) + 1)), .. peer.Message(1)]),
        new(
            "5.1 closed by the client's reset",
            "DATA",
            Resetting(1, Http2ErrorCode.StreamClosed, 3),
            peer => [.. peer.Open(1), .. Reset(1), .. peer.Message(1), .. peer.Message(1), .. peer.Whole(3)]),
        new(
            "5.1 closed by the client's reset",
            "HEADERS",
            Resetting(1, Http2ErrorCode.StreamClosed, 3),
            peer => [.. peer.Open(1), .. Reset(1), .. peer.Trailers(1), .. peer.Whole(3)]),
        new(
            "5.1 closed by the client's reset",
            "DATA on an early one of 300 streams is dropped",
            Passes,
            peer => [.. Enumerable.Range(0, 300).SelectMany(call => (byte[])[.. peer.Open((call * 2) + 1), .. Reset((call * 2) + 1)]), .. peer.Message(1)]),
        new("5.1 closed by the client's reset", "another RST_STREAM is ignored", Passes, peer => [.. peer.Open(1), .. Reset(1), .. Reset(1)]),
        new("5.1 closed by the server's reset", "DATA is dropped", Resetting(1, Http2ErrorCode.ProtocolError), peer => [.. Malformed, .. peer.Message(1)]),
        new(
            "5.1 closed by the server's reset",
            "trailers are dropped",
            Resetting(1, Http2ErrorCode.ProtocolError),
            peer => [.. Malformed, .. peer.Trailers(1)]),
        new(
            "5.1 closed by the server's reset",
            "the next call is answered",
            Resetting(1, Http2ErrorCode.ProtocolError, 3),
            peer => [.. Malformed, .. peer.Message(1), .. peer.Whole(3)]),
        new(
            "5.1 closed by the server's reset",
            "data on a stream whose object was reused is dropped",
            Resetting(3, Http2ErrorCode.ProtocolError, 1, 5),
            peer => [.. peer.Whole(1), .. peer.Open(3, ("BAD", "x")), .. peer.Message(3), .. peer.Whole(5)]),
        new(
            "5.1 closed by the server's reset",
            "data of 300 refused streams is dropped",
            new Outcome(null, [.. Enumerable.Range(0, 300).Select(call => ((call * 2) + 1, Http2ErrorCode.ProtocolError))], []),
            peer => [
                .. Enumerable.Range(0, 300).SelectMany(call => peer.Open((call * 2) + 1, ("BAD", "x"))),
                .. Enumerable.Range(0, 300).SelectMany(call => peer.Message((call * 2) + 1)),
            ]),
        new("5.1.1", "a stream id below the previous one", Ends(Http2ErrorCode.ProtocolError, 5), peer => [.. peer.Whole(5), .. peer.Open(3)]),
        new("5.1.1", "DATA on a skipped stream id", Ends(Http2ErrorCode.StreamClosed, 5), peer => [.. peer.Whole(5), .. peer.Message(3)]),
        new("5.1.1", "ids with gaps between them", Answers(1, 9, 101), peer => [.. peer.Whole(1), .. peer.Whole(9), .. peer.Whole(101)]),
        new("5.1.1", "the largest stream id", Answers(int.MaxValue), peer => peer.Whole(int.MaxValue)),
        new(
            "5.1.2",
            "a stream above SETTINGS_MAX_CONCURRENT_STREAMS",
            Resetting(21, Http2ErrorCode.RefusedStream),
            peer => [.. Enumerable.Range(0, 11).SelectMany(call => peer.Open((call * 2) + 1))]),
        new(
            "5.1.2",
            "data of a refused stream is dropped",
            Resetting(21, Http2ErrorCode.RefusedStream),
            peer => [.. Enumerable.Range(0, 11).SelectMany(call => peer.Open((call * 2) + 1)), .. peer.Message(21)]),
    ];

    // Returns a call whose response cannot be sent, because the window is closed.
    private static byte[] Blocked(int stream) => [.. Settings((Http2Setting.InitialWindowSize, 0)), .. Sender.Client.Whole(stream)];
}
