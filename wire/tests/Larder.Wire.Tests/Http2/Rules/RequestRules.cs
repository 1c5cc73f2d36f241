using Larder.Wire.Http2;
using static Larder.Wire.Tests.Http2.Rules.Outcome;
using static Larder.Wire.Tests.Http2.Rules.Rule;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>Rules for requests (RFC 9113, section 8).</summary>
internal static class RequestRules
{
    private static readonly Outcome Malformed = Resetting(1, Http2ErrorCode.ProtocolError);

    public static readonly Rule[] All =
    [
        new("8.1", "a call with trailers", Answers(1), peer => [.. peer.Open(1), .. peer.Part(1), .. peer.Trailers(1)]),
        new(
            "8.1",
            "a request that is not gRPC is answered",
            Answers(1),
            _ => [.. Fields(1, End, (":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "here"))]),
        new("8.1.1", "content-length without a body", Malformed, _ => Fields(1, End, [.. CallFields, ("content-length", "1")])),
        new("8.1.1", "content-length of 0", Answers(1), _ => Fields(1, End, [.. CallFields, ("content-length", "0")])),
        new("8.3.1", "no method", Malformed, _ => Without(1, ":method")),
        new("8.3.1", "no scheme", Malformed, _ => Without(1, ":scheme")),
        new("8.3.1", "no path", Malformed, _ => Without(1, ":path")),
        new("8.3.1", "an empty path", Malformed, _ => Fields(1, 0, [.. CallFields.Select(field => field.Name == ":path" ? (":path", "") : field)])),
        new("8.3.1", "two methods", Malformed, _ => Fields(1, 0, [(":method", "POST"), .. CallFields])),
        new("8.3.1", "two schemes", Malformed, _ => Fields(1, 0, [(":scheme", "http"), .. CallFields])),
        new("8.3.1", "two paths", Malformed, _ => Fields(1, 0, [(":path", EchoPath), .. CallFields])),
        new("8.3.1", "two paths, the first empty", Malformed, _ => Fields(1, 0, [(":path", ""), .. CallFields])),
        new("8.3.1", "two authorities", Malformed, _ => Fields(1, 0, [(":authority", "here"), .. CallFields])),
        new("8.3.1", "no authority", Answers(1), peer => [.. Without(1, ":authority"), .. peer.Message(1)]),
        new(
            "8.1",
            "a response before request end stops the client",
            Resetting(1, Http2ErrorCode.NoError, 1),
            peer => [.. peer.Open(1), .. Make(Http2FrameType.Data, 0, 1, [0, 0, 0, 0, 1, .. new byte[16_379]])]),
        new("10.5.1", "a request with 128 fields is accepted", Answers(1), peer => [.. Headers([.. peer.Block(), .. Repeated(124)]), .. peer.Message(1)]),
        new(
            "10.5.1",
            "a request with 129 fields is rejected",
            Resetting(1, Http2ErrorCode.NoError, 1, 3),
            peer => [.. Headers([.. peer.Block(), .. Repeated(125)]), .. peer.Whole(3)]),
        new(
            "10.5.1",
            "1,280 fields exceed the header list size",
            Ends(Http2ErrorCode.EnhanceYourCalm),
            peer => Headers([.. peer.Block(), .. Repeated(1_280)])),
    ];

    private static (string Name, string Value)[] CallFields =>
        [(":method", "POST"), (":scheme", "http"), (":path", EchoPath), (":authority", "here"), ("content-type", "application/grpc"), ("te", "trailers")];

    /// <summary>Returns the headers of an echo call, without the fields of one name.</summary>
    private static byte[] Without(int stream, string name) => Fields(stream, 0, [.. CallFields.Where(field => field.Name != name)]);

    private static byte[] Headers(byte[] block) => Make(Http2FrameType.Headers, EndHeaders, 1, block);

    // Returns the field "x: 1" the given number of times. In the header list, each field counts as 34 bytes: two bytes of text plus 32.
    private static byte[] Repeated(int times) => [0x40, 0x01, (byte)'x', 0x01, (byte)'1', .. Enumerable.Repeat((byte)0xBE, times - 1)];
}
