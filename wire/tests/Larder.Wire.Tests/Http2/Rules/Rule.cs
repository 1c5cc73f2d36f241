using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>A test case for one rule of HTTP/2. It consists of the bytes that a peer sends, and the expected outcome.</summary>
/// <param name="Section">The section of RFC 9113, or of RFC 7541 with the prefix "HPACK".</param>
/// <param name="What">A description of the case.</param>
/// <param name="Outcome">The expected outcome.</param>
/// <param name="Sent">
/// The bytes to send. A client sends them after the preface and empty settings. A server sends them after its settings and the first three calls.
/// </param>
internal sealed record Rule(string Section, string What, Outcome Outcome, Func<Sender, byte[]> Sent)
{
    /// <summary>The path of a call that does not read its request.</summary>
    public const string HoldPath = "/test.Cache/Hold";

    public const byte End = Http2FrameHeader.EndStream;
    public const byte EndHeaders = Http2FrameHeader.EndHeaders;
    public const byte Padded = Http2FrameHeader.Padded;
    public const byte Weighted = Http2FrameHeader.Priority;

    /// <summary>Creates a rule whose bytes do not depend on which side sends them.</summary>
    public Rule(string section, string what, Outcome outcome, params byte[] bytes)
        : this(section, what, outcome, _ => bytes)
    {
    }

    public string Name => $"{Section}: {What}";

    /// <summary>Returns a HEADERS frame with exactly these fields.</summary>
    public static byte[] Fields(int stream, byte flags, params (string Name, string Value)[] fields) =>
        Make(Http2FrameType.Headers, (byte)(flags | EndHeaders), stream, Encode(fields));

    public static byte[] Reset(int stream, int code = 8) => Make(Http2FrameType.ResetStream, 0, stream, Number(code));

    public static byte[] Update(int stream, int by) => Make(Http2FrameType.WindowUpdate, 0, stream, Number(by));

    public static byte[] Priority(int stream, int dependsOn, byte weight = 15) => Make(Http2FrameType.Priority, 0, stream, [.. Number(dependsOn), weight]);
}
