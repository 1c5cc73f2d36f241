using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Server.Connections.Rules;

/// <summary>One rule of HTTP/2, by its section of RFC 9113 (or 7541, as "HPACK"): what a client sends after the preface, and what must come of it.</summary>
/// <param name="Section">The rule's place.</param>
/// <param name="What">The case in words.</param>
/// <param name="Outcome">What must come of it.</param>
/// <param name="Bytes">What is sent after the preface and empty settings.</param>
internal sealed record Rule(string Section, string What, Outcome Outcome, params byte[] Bytes)
{
    /// <summary>A call that reads nothing.</summary>
    public const string HoldPath = "/test.Cache/Hold";

    public const byte End = Http2FrameHeader.EndStream;
    public const byte EndHeaders = Http2FrameHeader.EndHeaders;
    public const byte Padded = Http2FrameHeader.Padded;
    public const byte Weighted = Http2FrameHeader.Priority;

    public string Name => $"{Section}: {What}";

    /// <summary>Headers of an echo call that go on with data.</summary>
    public static byte[] Open(int stream, params (string Name, string Value)[] more) => Make(Http2FrameType.Headers, EndHeaders, stream, Block(EchoPath, more));

    /// <summary>Headers with these fields alone.</summary>
    public static byte[] Fields(int stream, byte flags, params (string Name, string Value)[] fields) =>
        Make(Http2FrameType.Headers, (byte)(flags | EndHeaders), stream, Encode(fields));

    /// <summary>Headers of an echo call, but for the fields of one name.</summary>
    public static byte[] Without(int stream, string name, params (string Name, string Value)[] more) =>
        Fields(stream, 0, [.. CallFields.Where(field => field.Name != name), .. more]);

    /// <summary>A whole echo call of one byte.</summary>
    public static byte[] Whole(int stream) => Call(stream, [7]);

    /// <summary>The message of <see cref="Whole"/>, six bytes, and then the stream's end.</summary>
    public static byte[] Message(int stream, byte flags = End) => Make(Http2FrameType.Data, flags, stream, 0, 0, 0, 0, 1, 7);

    public static byte[] Reset(int stream, int code = 8) => Make(Http2FrameType.ResetStream, 0, stream, Number(code));

    public static byte[] Update(int stream, int by) => Make(Http2FrameType.WindowUpdate, 0, stream, Number(by));

    public static byte[] Priority(int stream, int dependsOn, byte weight = 15) => Make(Http2FrameType.Priority, 0, stream, [.. Number(dependsOn), weight]);

    public static byte[] Trailers(int stream, byte flags = End) => Fields(stream, flags, ("x-last", "1"));

    public static (string Name, string Value)[] CallFields =>
        [(":method", "POST"), (":scheme", "http"), (":path", EchoPath), (":authority", "here"), ("content-type", "application/grpc"), ("te", "trailers")];
}
