using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>One rule of HTTP/2, by its section of RFC 9113 (or 7541, as "HPACK"): what a peer sends, and what must come of it.</summary>
/// <param name="Section">The rule's place.</param>
/// <param name="What">The case in words.</param>
/// <param name="Outcome">What must come of it.</param>
/// <param name="Said">What is sent: by a client after the preface and empty settings, by a server after its settings and the first three calls.</param>
internal sealed record Rule(string Section, string What, Outcome Outcome, Func<Speaker, byte[]> Said)
{
    /// <summary>A call that reads nothing.</summary>
    public const string HoldPath = "/test.Cache/Hold";

    public const byte End = Http2FrameHeader.EndStream;
    public const byte EndHeaders = Http2FrameHeader.EndHeaders;
    public const byte Padded = Http2FrameHeader.Padded;
    public const byte Weighted = Http2FrameHeader.Priority;

    /// <summary>One whose frames only one of both can say.</summary>
    public Rule(string section, string what, Outcome outcome, params byte[] bytes)
        : this(section, what, outcome, _ => bytes)
    {
    }

    public string Name => $"{Section}: {What}";

    /// <summary>Headers with these fields alone.</summary>
    public static byte[] Fields(int stream, byte flags, params (string Name, string Value)[] fields) =>
        Make(Http2FrameType.Headers, (byte)(flags | EndHeaders), stream, Encode(fields));

    public static byte[] Reset(int stream, int code = 8) => Make(Http2FrameType.ResetStream, 0, stream, Number(code));

    public static byte[] Update(int stream, int by) => Make(Http2FrameType.WindowUpdate, 0, stream, Number(by));

    public static byte[] Priority(int stream, int dependsOn, byte weight = 15) => Make(Http2FrameType.Priority, 0, stream, [.. Number(dependsOn), weight]);
}
