using Larder.Wire.Http2;
using static Larder.Wire.Tests.Http2.Rules.Outcome;
using static Larder.Wire.Tests.Http2.Rules.Rule;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>Rules for header compression (RFC 7541).</summary>
internal static class CompressionRules
{
    private static readonly Outcome Broken = Ends(Http2ErrorCode.CompressionError);

    public static readonly Rule[] All =
    [
        new("HPACK 2.3.3", "an index beyond both tables", Broken, peer => Headers([.. peer.Block(), 0xFF, 0])),
        new(
            "HPACK 4.2",
            "a table size update at the start of a block",
            Answers(1),
            peer => [.. Headers([0x20, 0x3F, 0xE1, 0x1F, .. peer.Block()]), .. peer.Message(1)]),
        new("HPACK 4.2", "a table size update at the end of a block", Broken, peer => Headers([.. peer.Block(), 0x20])),
        new("HPACK 5.2", "Huffman padding of more than seven bits", Broken, peer => Headers([.. peer.Block(), 0x00, 0x01, (byte)'x', 0x82, 0x1F, 0xFF])),
        new("HPACK 5.2", "Huffman padding of zeros", Broken, peer => Headers([.. peer.Block(), 0x00, 0x01, (byte)'x', 0x81, 0x18])),
        new("HPACK 5.2", "end-of-string within a string", Broken, peer => Headers([.. peer.Block(), 0x00, 0x01, (byte)'x', 0x84, 0xFF, 0xFF, 0xFF, 0xFF])),
        new("HPACK 5.1", "an unterminated integer", Broken, _ => Headers([0xFF, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01])),
        new("HPACK 5.2", "a truncated string", Broken, peer => Headers([.. peer.Block(), 0x00, 0x7F, 0x01])),
        new("HPACK 6.1", "the index 0", Broken, peer => Headers([.. peer.Block(), 0x80])),
        new(
            "HPACK 6.1",
            "an indexed field",
            Answers(1),
            peer => [.. Headers(peer.IndexedBlock), .. peer.Message(1)]),
        new(
            "HPACK 6.2.1",
            "an indexed field whose name is reused by index",
            Answers(1, 3),
            peer => [
                .. Headers([.. peer.Block(), 0x40, 0x01, (byte)'x', 0x01, (byte)'1']),
                .. peer.Message(1),
                .. Make(Http2FrameType.Headers, EndHeaders, 3, [.. peer.Block(), 0xBE]),
                .. peer.Message(3),
            ]),
        new(
            "HPACK 6.2.3",
            "a never-indexed field",
            Answers(1),
            peer => [.. Headers([.. peer.Block(), 0x10, 0x01, (byte)'x', 0x01, (byte)'1']), .. peer.Message(1)]),
        new("HPACK 6.3", "a table size above the announced limit", Broken, peer => Headers([0x3F, 0xE2, 0x1F, .. peer.Block()])),
    ];

    private static byte[] Headers(byte[] block) => Make(Http2FrameType.Headers, EndHeaders, 1, block);
}
