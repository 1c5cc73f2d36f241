using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;
using static Larder.Wire.Tests.Server.Connections.Rules.Outcome;
using static Larder.Wire.Tests.Server.Connections.Rules.Rule;

namespace Larder.Wire.Tests.Server.Connections.Rules;

/// <summary>Header blocks: RFC 7541, and RFC 9113, 4.3 and 10.5.1.</summary>
internal static class FieldSectionRules
{
    private static readonly Outcome Broken = Ends(Http2ErrorCode.CompressionError);

    public static readonly Rule[] All =
    [
        new("HPACK 2.3.3", "an index beyond both tables", Broken, Headers([.. Block(), 0xFF, 0])),
        new("HPACK 4.2", "a table's size at the block's beginning", Answers(1), [.. Headers([0x20, 0x3F, 0xE1, 0x1F, .. Block()]), .. Message(1)]),
        new("HPACK 4.2", "a table's size at the block's end", Broken, Headers([.. Block(), 0x20])),
        new("HPACK 5.2", "Huffman padding of more than seven bits", Broken, Headers([.. Block(), 0x00, 0x01, (byte)'x', 0x82, 0x1F, 0xFF])),
        new("HPACK 5.2", "Huffman padding of zeros", Broken, Headers([.. Block(), 0x00, 0x01, (byte)'x', 0x81, 0x18])),
        new("HPACK 5.2", "the end of string within a string", Broken, Headers([.. Block(), 0x00, 0x01, (byte)'x', 0x84, 0xFF, 0xFF, 0xFF, 0xFF])),
        new("HPACK 5.1", "an integer without an end", Broken, Headers([0xFF, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01])),
        new("HPACK 5.2", "a string cut off", Broken, Headers([.. Block(), 0x00, 0x7F, 0x01])),
        new("HPACK 6.1", "the index 0", Broken, Headers([.. Block(), 0x80])),
        new(
            "HPACK 6.1",
            "an indexed field",
            Answers(1),
            [.. Headers([0x83, 0x86, .. Encode((":path", EchoPath), ("content-type", "application/grpc"))]), .. Message(1)]),
        new(
            "HPACK 6.2.1",
            "a field that is indexed and then named by its index",
            Answers(1, 3),
            [
                .. Headers([.. Block(), 0x40, 0x01, (byte)'x', 0x01, (byte)'1']),
                .. Message(1),
                .. Make(Http2FrameType.Headers, EndHeaders, 3, [.. Block(), 0xBE]),
                .. Message(3),
            ]),
        new("HPACK 6.2.3", "a field that is never indexed", Answers(1), [.. Headers([.. Block(), 0x10, 0x01, (byte)'x', 0x01, (byte)'1']), .. Message(1)]),
        new("HPACK 6.3", "a table's size over what was announced", Broken, Headers([0x3F, 0xE2, 0x1F, .. Block()])),
        new("10.5.1", "128 fields are a call", Answers(1), [.. Headers([.. Block(), .. Repeated(124)]), .. Message(1)]),
        new(
            "10.5.1",
            "one field more is refused and the next call is answered",
            Resetting(1, Http2ErrorCode.NoError, 1, 3),
            [.. Headers([.. Block(), .. Repeated(125)]), .. Whole(3)]),
        new("10.5.1", "ten times as many are over the size of a list", Ends(Http2ErrorCode.EnhanceYourCalm), Headers([.. Block(), .. Repeated(1_280)])),
    ];

    private static byte[] Headers(byte[] block) => Make(Http2FrameType.Headers, EndHeaders, 1, block);

    // x: 1, at two bytes and 32 in the list.
    private static byte[] Repeated(int times) => [0x40, 0x01, (byte)'x', 0x01, (byte)'1', .. Enumerable.Repeat((byte)0xBE, times - 1)];
}
