using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;
using static Larder.Wire.Tests.Server.Connections.Rules.Outcome;
using static Larder.Wire.Tests.Server.Connections.Rules.Rule;

namespace Larder.Wire.Tests.Server.Connections.Rules;

/// <summary>Frames as such: RFC 9113, 4 and 5.5, and the frames that carry calls: 6.1, 6.2, 6.10.</summary>
internal static class FrameRules
{
    private static byte[] Padding(byte length, byte flags = Padded | End) => Make(Http2FrameType.Data, flags, 1, [length, 0, 0, 0, 0, 1, 7, 0, 0]);

    public static readonly Rule[] All =
    [
        new("4.1", "a frame of an unknown type is passed over", Passes, Make((Http2FrameType)0xB, 0xFF, 0, 1, 2, 3)),
        new(
            "4.1",
            "undefined flags are passed over",
            Answers(1),
            [
                .. Make(Http2FrameType.Headers, EndHeaders | 0xD2 & ~Weighted & ~Padded, 1, Block()),
                .. Make(Http2FrameType.Data, End | 0xF6, 1, 0, 0, 0, 0, 1, 7),
            ]),
        new("4.1", "the reserved bit of an id is passed over", Passes, [0, 0, 8, 6, 0, 0x80, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]),
        new(
            "4.2",
            "a frame of 16,384 bytes is read",
            Resetting(1, Http2ErrorCode.NoError, 1),
            [.. Open(1), .. Make(Http2FrameType.Data, 0, 1, [0, 0, 0, 0, 1, .. new byte[16_379]])]),
        new("4.2", "a DATA frame of one byte more", Ends(Http2ErrorCode.FrameSizeError), [.. Open(1), .. Make(Http2FrameType.Data, 0, 1, new byte[16_385])]),
        new("4.2", "a HEADERS frame of one byte more", Ends(Http2ErrorCode.FrameSizeError), Make(Http2FrameType.Headers, EndHeaders, 1, new byte[16_385])),
        new("4.2", "a SETTINGS frame ten times as large", Ends(Http2ErrorCode.FrameSizeError), Make(Http2FrameType.Settings, 0, 0, new byte[163_842])),
        new(
            "4.3",
            "a block that is no HPACK",
            Ends(Http2ErrorCode.CompressionError),
            Make(Http2FrameType.Headers, EndHeaders | End, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF)),
        new("4.3", "PRIORITY within a block", Ends(Http2ErrorCode.ProtocolError), [.. Make(Http2FrameType.Headers, 0, 1, Block()), .. Priority(1, 0)]),
        new(
            "4.3",
            "HEADERS of another stream within a block",
            Ends(Http2ErrorCode.ProtocolError),
            [.. Make(Http2FrameType.Headers, 0, 1, Block()), .. Open(3)]),
        new(
            "5.5",
            "an unknown frame within a block",
            Ends(Http2ErrorCode.ProtocolError),
            [.. Make(Http2FrameType.Headers, 0, 1, Block()), .. Make((Http2FrameType)0xB, 0, 0)]),
        new("5.5", "an unknown frame of a stream never opened is passed over", Passes, Make((Http2FrameType)0xFA, 0, 99, 1)),
        new(
            "6.1",
            "a call's data in three frames",
            Answers(1),
            [.. Open(1), .. Make(Http2FrameType.Data, 0, 1, 0, 0), .. Make(Http2FrameType.Data, 0, 1, 0, 0, 1), .. Make(Http2FrameType.Data, End, 1, 7)]),
        new("6.1", "data with padding", Answers(1), [.. Open(1), .. Padding(2)]),
        new("6.1", "data that is padding alone", Answers(1), [.. Open(1), .. Make(Http2FrameType.Data, Padded, 1, 2, 0, 0), .. Message(1)]),
        new("6.1", "DATA on the connection", Ends(Http2ErrorCode.ProtocolError), Make(Http2FrameType.Data, End, 0, 1)),
        new("6.1", "padding as long as its frame", Ends(Http2ErrorCode.ProtocolError), [.. Open(1), .. Padding(9)]),
        new("6.1", "padded without a length", Ends(Http2ErrorCode.ProtocolError), [.. Open(1), .. Make(Http2FrameType.Data, Padded, 1)]),
        new("6.2", "headers with padding", Answers(1), [.. Make(Http2FrameType.Headers, EndHeaders | Padded, 1, [2, .. Block(), 0, 0]), .. Message(1)]),
        new(
            "6.2",
            "headers with a priority",
            Answers(1),
            [.. Make(Http2FrameType.Headers, EndHeaders | Weighted, 1, [0x80, 0, 0, 0, 255, .. Block()]), .. Message(1)]),
        new("6.2", "HEADERS on the connection", Ends(Http2ErrorCode.ProtocolError), Make(Http2FrameType.Headers, EndHeaders, 0, Block())),
        new(
            "6.2",
            "padding longer than the block",
            Ends(Http2ErrorCode.ProtocolError),
            Make(Http2FrameType.Headers, EndHeaders | Padded, 1, [255, .. Block()])),
        new("6.2", "a priority cut off", Ends(Http2ErrorCode.FrameSizeError), Make(Http2FrameType.Headers, EndHeaders | Weighted, 1, 0, 0, 0)),
        new("6.2", "a block of no fields", Resetting(1, Http2ErrorCode.ProtocolError), Make(Http2FrameType.Headers, EndHeaders | End, 1)),
        new(
            "6.10",
            "a block in two pieces",
            Answers(1),
            [.. Make(Http2FrameType.Headers, 0, 1, Block()[..9]), .. Make(Http2FrameType.Continuation, EndHeaders, 1, Block()[9..]), .. Message(1)]),
        new(
            "6.10",
            "a block in many pieces, some empty",
            Answers(1),
            [
                .. Make(Http2FrameType.Headers, End & 0, 1),
                .. Make(Http2FrameType.Continuation, 0, 1),
                .. Make(Http2FrameType.Continuation, 0, 1, Block()),
                .. Make(Http2FrameType.Continuation, EndHeaders, 1),
                .. Message(1),
            ]),
        new("6.10", "DATA within a block", Ends(Http2ErrorCode.ProtocolError), [.. Make(Http2FrameType.Headers, 0, 1, Block()), .. Message(1)]),
        new(
            "6.10",
            "CONTINUATION on the connection",
            Ends(Http2ErrorCode.ProtocolError),
            [.. Make(Http2FrameType.Headers, 0, 1, Block()), .. Make(Http2FrameType.Continuation, EndHeaders, 0)]),
        new(
            "6.10",
            "CONTINUATION of another stream",
            Ends(Http2ErrorCode.ProtocolError),
            [.. Make(Http2FrameType.Headers, 0, 1, Block()), .. Make(Http2FrameType.Continuation, EndHeaders, 3)]),
        new("6.10", "CONTINUATION after a block's end", Ends(Http2ErrorCode.ProtocolError), [.. Open(1), .. Make(Http2FrameType.Continuation, EndHeaders, 1)]),
        new(
            "6.10",
            "CONTINUATION after a continuation's end",
            Ends(Http2ErrorCode.ProtocolError),
            [
                .. Make(Http2FrameType.Headers, 0, 1, Block()),
                .. Make(Http2FrameType.Continuation, EndHeaders, 1),
                .. Make(Http2FrameType.Continuation, EndHeaders, 1),
            ]),
        new(
            "6.10",
            "CONTINUATION after data",
            Ends(Http2ErrorCode.ProtocolError),
            [.. Open(1), .. Make(Http2FrameType.Data, 0, 1, 0), .. Make(Http2FrameType.Continuation, EndHeaders, 1)]),
        new(
            "8.4",
            "a client's PUSH_PROMISE",
            Ends(Http2ErrorCode.ProtocolError),
            [.. Open(1), .. Make(Http2FrameType.PushPromise, EndHeaders, 1, [0, 0, 0, 2, .. Block()])]),
    ];
}
