using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;
using static Larder.Wire.Tests.Server.Connections.Rules.Outcome;
using static Larder.Wire.Tests.Server.Connections.Rules.Rule;

namespace Larder.Wire.Tests.Server.Connections.Rules;

/// <summary>What may come on a stream, and when: RFC 9113, 5.1.</summary>
internal static class StreamRules
{
    private static readonly byte[] Malformed = [.. Open(1, ("BAD", "x"))];

    public static readonly Rule[] All =
    [
        new("5.1 idle", "DATA", Ends(Http2ErrorCode.ProtocolError), Message(1)),
        new("5.1 idle", "RST_STREAM", Ends(Http2ErrorCode.ProtocolError), Reset(1)),
        new("5.1 idle", "WINDOW_UPDATE", Ends(Http2ErrorCode.ProtocolError), Update(1, 100)),
        new("5.1 idle", "CONTINUATION", Ends(Http2ErrorCode.ProtocolError), Make(Http2FrameType.Continuation, EndHeaders, 1, Block())),
        new("5.1 idle", "PRIORITY is passed over", Answers(1), [.. Priority(3, 0), .. Whole(1)]),
        new("5.1 idle", "PRIORITY of the largest weight, exclusive", Passes, Priority(1, int.MinValue, 255)),
        new("5.1 idle", "WINDOW_UPDATE of the server's kind of stream", Ends(Http2ErrorCode.ProtocolError, 3), [.. Whole(3), .. Update(2, 1)]),
        new("5.1 idle", "RST_STREAM of the server's kind of stream", Ends(Http2ErrorCode.ProtocolError, 3), [.. Whole(3), .. Reset(2)]),

        // The answer waits for a window of nothing: the stream is half-closed by its client and open at the server.
        new("5.1 half-closed (remote)", "DATA", Resetting(1, Http2ErrorCode.StreamClosed), [.. Blocked(1), .. Message(1)]),
        new("5.1 half-closed (remote)", "HEADERS", Resetting(1, Http2ErrorCode.StreamClosed), [.. Blocked(1), .. Trailers(1)]),
        new(
            "5.1 half-closed (remote)",
            "CONTINUATION",
            Ends(Http2ErrorCode.ProtocolError),
            [.. Blocked(1), .. Make(Http2FrameType.Continuation, EndHeaders, 1, Block())]),
        new("5.1 half-closed (remote)", "WINDOW_UPDATE lets it go on", Answers(1), [.. Blocked(1), .. Update(1, 100_000)]),
        new("5.1 half-closed (remote)", "PRIORITY is passed over", Passes, [.. Blocked(1), .. Priority(1, 0)]),
        new("5.1 half-closed (remote)", "RST_STREAM ends it", Passes, [.. Blocked(1), .. Reset(1)]),
        new(
            "5.1 half-closed (remote)",
            "data after a reset for it is dropped",
            Resetting(1, Http2ErrorCode.StreamClosed),
            [.. Blocked(1), .. Message(1), .. Message(1)]),
        new("5.1 closed by both", "DATA", Ends(Http2ErrorCode.StreamClosed, 1), [.. Whole(1), .. Message(1)]),
        new("5.1 closed by both", "HEADERS", Ends(Http2ErrorCode.StreamClosed, 1), [.. Whole(1), .. Open(1)]),
        new(
            "5.1 closed by both",
            "CONTINUATION",
            Ends(Http2ErrorCode.ProtocolError, 1),
            [.. Whole(1), .. Make(Http2FrameType.Continuation, EndHeaders, 1, Block())]),
        new("5.1 closed by both", "WINDOW_UPDATE is passed over", Answers(1), [.. Whole(1), .. Update(1, 100)]),
        new("5.1 closed by both", "RST_STREAM is passed over", Answers(1), [.. Whole(1), .. Reset(1)]),
        new("5.1 closed by both", "PRIORITY is passed over", Answers(1), [.. Whole(1), .. Priority(1, 0)]),
        new(
            "5.1 closed by both",
            "DATA on one of 600 before the last",
            Ends(Http2ErrorCode.StreamClosed, [.. Enumerable.Range(0, 600).Select(call => (call * 2) + 1)]),
            [.. Enumerable.Range(0, 600).SelectMany(call => Whole((call * 2) + 1)), .. Message(1)]),
        new(
            "5.1 closed by the client's reset",
            "DATA",
            Resetting(1, Http2ErrorCode.StreamClosed, 3),
            [.. Open(1), .. Reset(1), .. Message(1), .. Message(1), .. Whole(3)]),
        new(
            "5.1 closed by the client's reset",
            "HEADERS",
            Resetting(1, Http2ErrorCode.StreamClosed, 3),
            [.. Open(1), .. Reset(1), .. Trailers(1), .. Whole(3)]),
        new(
            "5.1 closed by the client's reset",
            "DATA on one of 300 before the last is dropped",
            Passes,
            [.. Enumerable.Range(0, 300).SelectMany(call => (byte[])[.. Open((call * 2) + 1), .. Reset((call * 2) + 1)]), .. Message(1)]),
        new("5.1 closed by the client's reset", "another RST_STREAM is passed over", Passes, [.. Open(1), .. Reset(1), .. Reset(1)]),
        new("5.1 closed by the server's reset", "DATA is dropped", Resetting(1, Http2ErrorCode.ProtocolError), [.. Malformed, .. Message(1)]),
        new("5.1 closed by the server's reset", "trailers are dropped", Resetting(1, Http2ErrorCode.ProtocolError), [.. Malformed, .. Trailers(1)]),
        new(
            "5.1 closed by the server's reset",
            "the next call is answered",
            Resetting(1, Http2ErrorCode.ProtocolError, 3),
            [.. Malformed, .. Message(1), .. Whole(3)]),
        new(
            "5.1 closed by the server's reset",
            "data on one whose object an earlier call had is dropped",
            Resetting(3, Http2ErrorCode.ProtocolError, 1, 5),
            [.. Whole(1), .. Open(3, ("BAD", "x")), .. Message(3), .. Whole(5)]),
        new(
            "5.1 closed by the server's reset",
            "data of 300 refused streams is dropped",
            new Outcome(null, [.. Enumerable.Range(0, 300).Select(call => ((call * 2) + 1, Http2ErrorCode.ProtocolError))], []),
            [
                .. Enumerable.Range(0, 300).SelectMany(call => Open((call * 2) + 1, ("BAD", "x"))),
                .. Enumerable.Range(0, 300).SelectMany(call => Message((call * 2) + 1)),
            ]),
        new("5.1.1", "a stream with an even id", Ends(Http2ErrorCode.ProtocolError), Open(2)),
        new("5.1.1", "a stream with a smaller id than the last", Ends(Http2ErrorCode.ProtocolError, 5), [.. Whole(5), .. Open(3)]),
        new("5.1.1", "DATA on a stream that was skipped", Ends(Http2ErrorCode.StreamClosed, 5), [.. Whole(5), .. Message(3)]),
        new("5.1.1", "ids with gaps between them", Answers(1, 9, 101), [.. Whole(1), .. Whole(9), .. Whole(101)]),
        new("5.1.1", "the largest id there is", Answers(int.MaxValue), Whole(int.MaxValue)),
        new(
            "5.1.2",
            "a stream over SETTINGS_MAX_CONCURRENT_STREAMS",
            Resetting(21, Http2ErrorCode.RefusedStream),
            [.. Enumerable.Range(0, 11).SelectMany(call => Open((call * 2) + 1))]),
        new(
            "5.1.2",
            "data of a refused stream is dropped",
            Resetting(21, Http2ErrorCode.RefusedStream),
            [.. Enumerable.Range(0, 11).SelectMany(call => Open((call * 2) + 1)), .. Message(21)]),
        new(
            "5.3.1 of RFC 7540",
            "headers that depend on their own stream",
            Ends(Http2ErrorCode.ProtocolError),
            Make(Http2FrameType.Headers, EndHeaders | Weighted, 1, [0, 0, 0, 1, 15, .. Block()])),
        new("5.3.1 of RFC 7540", "a priority that depends on its own stream", Ends(Http2ErrorCode.ProtocolError), Priority(1, 1)),
    ];

    // A call whose answer waits: its window is closed.
    private static byte[] Blocked(int stream) => [.. Settings((Http2Setting.InitialWindowSize, 0)), .. Whole(stream)];
}
