using Larder.Wire.Http2;
using static Larder.Wire.Tests.Http2.Rules.Outcome;
using static Larder.Wire.Tests.Http2.Rules.Rule;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>Rules for messages in either direction (RFC 9113, sections 8.1 to 8.3).</summary>
internal static class MessageRules
{
    private static readonly Outcome Malformed = Resetting(1, Http2ErrorCode.ProtocolError);

    public static readonly Rule[] All =
    [
        new("8.1", "a second block that does not end the stream", Malformed, peer => [.. peer.Open(1), .. peer.Trailers(1, 0)]),
        new("8.1", "a pseudo-header in the trailers", Malformed, peer => [.. peer.Open(1), .. peer.Part(1), .. Fields(1, End, peer.Own)]),
        new("8.1", "an upper-case letter in a trailer name", Malformed, peer => [.. peer.Open(1), .. peer.Part(1), .. Fields(1, End, ("X-Last", "1"))]),
        new("8.1.1", "content-length equal to the body", Answers(1), peer => [.. peer.Open(1, peer.Length()), .. peer.Message(1)]),
        new("8.1.1", "two equal content-length fields", Answers(1), peer => [.. peer.Open(1, peer.Length(), peer.Length()), .. peer.Message(1)]),
        new("8.1.1", "two different content-length fields", Malformed, peer => [.. peer.Open(1, peer.Length(), peer.Length(1)), .. peer.Message(1)]),
        new("8.1.1", "content-length above the body", Malformed, peer => [.. peer.Open(1, peer.Length(1)), .. peer.Message(1)]),
        new("8.1.1", "content-length below the body", Malformed, peer => [.. peer.Open(1, peer.Length(-1)), .. peer.Message(1)]),
        new(
            "8.1.1",
            "content-length below a body of several frames",
            Malformed,
            peer => [.. peer.Open(1, ("content-length", "1")), .. peer.Part(1), .. peer.Message(1)]),
        new(
            "8.1.1",
            "content-length above a body that ends with trailers",
            Malformed,
            peer => [.. peer.Open(1, peer.Length(1)), .. peer.Part(1), .. peer.Trailers(1)]),
        new("8.1.1", "content-length that is not a number", Malformed, peer => [.. peer.Open(1, ("content-length", "six")), .. peer.Message(1)]),
        new("8.1.1", "a negative content-length", Malformed, peer => [.. peer.Open(1, ("content-length", "-6")), .. peer.Message(1)]),
        new(
            "8.1.1",
            "content-length excludes padding",
            Answers(1),
            peer => [.. peer.Open(1, peer.Length()), .. peer.Last(1, [2, .. peer.Body, 0, 0], Padded)]),
        new("8.2.1", "a name with an upper-case letter", Malformed, peer => [.. peer.Open(1, ("X-Test", "1")), .. peer.Message(1)]),
        new("8.2.1", "an empty name", Malformed, peer => [.. peer.Open(1, ("", "1")), .. peer.Message(1)]),
        new("8.2.1", "a name with a space", Malformed, peer => [.. peer.Open(1, ("x test", "1")), .. peer.Message(1)]),
        new("8.2.1", "a name with CR", Malformed, peer => [.. peer.Open(1, ("x\rtest", "1")), .. peer.Message(1)]),
        new("8.2.1", "a name with LF", Malformed, peer => [.. peer.Open(1, ("x\ntest", "1")), .. peer.Message(1)]),
        new("8.2.1", "a name with NUL", Malformed, peer => [.. peer.Open(1, ("x\0test", "1")), .. peer.Message(1)]),
        new("8.2.1", "a name with a colon within", Malformed, peer => [.. peer.Open(1, ("x:test", "1")), .. peer.Message(1)]),
        new("8.2.1", "a name with DEL", Malformed, peer => [.. peer.Open(1, ("x\u007Ftest", "1")), .. peer.Message(1)]),
        new("8.2.1", "a value with CR", Malformed, peer => [.. peer.Open(1, ("x-test", "1\r2")), .. peer.Message(1)]),
        new("8.2.1", "a value with LF", Malformed, peer => [.. peer.Open(1, ("x-test", "1\n2")), .. peer.Message(1)]),
        new("8.2.1", "a value with NUL", Malformed, peer => [.. peer.Open(1, ("x-test", "\0")), .. peer.Message(1)]),
        new("8.2.1", "a value with surrounding spaces is accepted", Answers(1), peer => [.. peer.Open(1, ("x-test", " 1 ")), .. peer.Message(1)]),
        new("8.2.1", "an empty value", Answers(1), peer => [.. peer.Open(1, ("x-test", "")), .. peer.Message(1)]),
        new("8.2.2", "connection", Malformed, peer => [.. peer.Open(1, ("connection", "keep-alive")), .. peer.Message(1)]),
        new("8.2.2", "keep-alive", Malformed, peer => [.. peer.Open(1, ("keep-alive", "timeout=5")), .. peer.Message(1)]),
        new("8.2.2", "proxy-connection", Malformed, peer => [.. peer.Open(1, ("proxy-connection", "keep-alive")), .. peer.Message(1)]),
        new("8.2.2", "transfer-encoding", Malformed, peer => [.. peer.Open(1, ("transfer-encoding", "chunked")), .. peer.Message(1)]),
        new("8.2.2", "upgrade", Malformed, peer => [.. peer.Open(1, ("upgrade", "h2c")), .. peer.Message(1)]),
        new("8.2.2", "te with the value trailers", Answers(1), peer => [.. peer.Open(1, ("te", "trailers")), .. peer.Message(1)]),
        new("8.2.2", "te with another value", Malformed, peer => [.. peer.Open(1, ("te", "trailers, deflate;q=0.5")), .. peer.Message(1)]),

        new("8.3", "an unknown pseudo-header", Malformed, peer => Fields(1, 0, [(":test", "1"), .. peer.Head])),
        new("8.3", "a pseudo-header of the other direction", Malformed, peer => Fields(1, 0, [peer.Foreign, .. peer.Head])),
        new("8.3", "a pseudo-header after a regular field", Malformed, peer => Fields(1, 0, [("x-first", "1"), .. peer.Head])),
    ];
}
