using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;
using static Larder.Wire.Tests.Server.Connections.Rules.Outcome;
using static Larder.Wire.Tests.Server.Connections.Rules.Rule;

namespace Larder.Wire.Tests.Server.Connections.Rules;

/// <summary>Requests as messages: RFC 9113, 8.</summary>
internal static class MessageRules
{
    private static readonly Outcome Malformed = Resetting(1, Http2ErrorCode.ProtocolError);

    public static readonly Rule[] All =
    [
        new("8.1", "a call with trailers", Answers(1), [.. Open(1), .. Message(1, 0), .. Trailers(1)]),
        new("8.1", "a second block that does not end the stream", Malformed, [.. Open(1), .. Trailers(1, 0)]),
        new("8.1", "a pseudo-header among the trailers", Malformed, [.. Open(1), .. Message(1, 0), .. Fields(1, End, (":method", "POST"))]),
        new("8.1", "a capital among the trailers", Malformed, [.. Open(1), .. Message(1, 0), .. Fields(1, End, ("X-Last", "1"))]),
        new(
            "8.1",
            "a request that is no call is answered",
            Answers(1),
            [.. Fields(1, End, (":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "here"))]),
        new("8.1.1", "content-length of the body", Answers(1), [.. Open(1, ("content-length", "6")), .. Message(1)]),
        new("8.1.1", "content-length twice, the same", Answers(1), [.. Open(1, ("content-length", "6"), ("content-length", "6")), .. Message(1)]),
        new("8.1.1", "content-length twice, two", Malformed, [.. Open(1, ("content-length", "6"), ("content-length", "7")), .. Message(1)]),
        new("8.1.1", "content-length over the body", Malformed, [.. Open(1, ("content-length", "7")), .. Message(1)]),
        new("8.1.1", "content-length under the body", Malformed, [.. Open(1, ("content-length", "5")), .. Message(1)]),
        new("8.1.1", "content-length under the body's several frames", Malformed, [.. Open(1, ("content-length", "1")), .. Message(1, 0), .. Message(1)]),
        new("8.1.1", "content-length over a body that trailers end", Malformed, [.. Open(1, ("content-length", "7")), .. Message(1, 0), .. Trailers(1)]),
        new("8.1.1", "content-length without a body", Malformed, Fields(1, End, [.. CallFields, ("content-length", "1")])),
        new("8.1.1", "content-length of nothing", Answers(1), Fields(1, End, [.. CallFields, ("content-length", "0")])),
        new("8.1.1", "content-length that is no number", Malformed, [.. Open(1, ("content-length", "six")), .. Message(1)]),
        new("8.1.1", "content-length less than nothing", Malformed, [.. Open(1, ("content-length", "-6")), .. Message(1)]),
        new(
            "8.1.1",
            "content-length does not count padding",
            Answers(1),
            [.. Open(1, ("content-length", "6")), .. Make(Http2FrameType.Data, Padded | End, 1, 2, 0, 0, 0, 0, 1, 7, 0, 0)]),
        new("8.2.1", "a name with a capital", Malformed, [.. Open(1, ("X-Test", "1")), .. Message(1)]),
        new("8.2.1", "a name of nothing", Malformed, [.. Open(1, ("", "1")), .. Message(1)]),
        new("8.2.1", "a name with a blank", Malformed, [.. Open(1, ("x test", "1")), .. Message(1)]),
        new("8.2.1", "a name with CR", Malformed, [.. Open(1, ("x\rtest", "1")), .. Message(1)]),
        new("8.2.1", "a name with LF", Malformed, [.. Open(1, ("x\ntest", "1")), .. Message(1)]),
        new("8.2.1", "a name with NUL", Malformed, [.. Open(1, ("x\0test", "1")), .. Message(1)]),
        new("8.2.1", "a name with a colon within", Malformed, [.. Open(1, ("x:test", "1")), .. Message(1)]),
        new("8.2.1", "a name with DEL", Malformed, [.. Open(1, ("x\u007Ftest", "1")), .. Message(1)]),
        new("8.2.1", "a value with CR", Malformed, [.. Open(1, ("x-test", "1\r2")), .. Message(1)]),
        new("8.2.1", "a value with LF", Malformed, [.. Open(1, ("x-test", "1\n2")), .. Message(1)]),
        new("8.2.1", "a value with NUL", Malformed, [.. Open(1, ("x-test", "\0")), .. Message(1)]),
        new("8.2.1", "a value with blanks around it is let pass", Answers(1), [.. Open(1, ("x-test", " 1 ")), .. Message(1)]),
        new("8.2.1", "a value of nothing", Answers(1), [.. Open(1, ("x-test", "")), .. Message(1)]),
        new("8.2.2", "connection", Malformed, [.. Open(1, ("connection", "keep-alive")), .. Message(1)]),
        new("8.2.2", "keep-alive", Malformed, [.. Open(1, ("keep-alive", "timeout=5")), .. Message(1)]),
        new("8.2.2", "proxy-connection", Malformed, [.. Open(1, ("proxy-connection", "keep-alive")), .. Message(1)]),
        new("8.2.2", "transfer-encoding", Malformed, [.. Open(1, ("transfer-encoding", "chunked")), .. Message(1)]),
        new("8.2.2", "upgrade", Malformed, [.. Open(1, ("upgrade", "h2c")), .. Message(1)]),
        new("8.2.2", "te of trailers", Answers(1), [.. Open(1, ("te", "trailers")), .. Message(1)]),
        new("8.2.2", "te of anything else", Malformed, [.. Open(1, ("te", "trailers, deflate;q=0.5")), .. Message(1)]),

        new("8.3", "a pseudo-header that nobody knows", Malformed, Without(1, "", (":test", "1"))),
        new("8.3", "a pseudo-header of answers", Malformed, Fields(1, 0, [(":status", "200"), .. CallFields])),
        new("8.3", "a pseudo-header after a regular one", Malformed, Fields(1, 0, [("x-first", "1"), .. CallFields])),
        new("8.3.1", "no method", Malformed, Without(1, ":method")),
        new("8.3.1", "no scheme", Malformed, Without(1, ":scheme")),
        new("8.3.1", "no path", Malformed, Without(1, ":path")),
        new("8.3.1", "a path of nothing", Malformed, Fields(1, 0, [.. CallFields.Select(field => field.Name == ":path" ? (":path", "") : field)])),
        new("8.3.1", "two methods", Malformed, Fields(1, 0, [(":method", "POST"), .. CallFields])),
        new("8.3.1", "two schemes", Malformed, Fields(1, 0, [(":scheme", "http"), .. CallFields])),
        new("8.3.1", "two paths", Malformed, Fields(1, 0, [(":path", EchoPath), .. CallFields])),
        new("8.3.1", "two paths, the first of nothing", Malformed, Fields(1, 0, [(":path", ""), .. CallFields])),
        new("8.3.1", "two authorities", Malformed, Fields(1, 0, [(":authority", "here"), .. CallFields])),
        new("8.3.1", "no authority", Answers(1), [.. Without(1, ":authority"), .. Message(1)]),
    ];
}
