using Larder.Wire.Http2;
using static Larder.Wire.Tests.Http2.Rules.Outcome;
using static Larder.Wire.Tests.Http2.Rules.Rule;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>Rules that only a server can violate. They concern the streams that the client has opened, the server's settings, and its responses.</summary>
internal static class AnswerRules
{
    private static readonly Outcome Malformed = Resetting(1, Http2ErrorCode.ProtocolError);
    private static readonly (string Name, string Value) Status = (":status", "200");
    private static readonly (string Name, string Value) Type = ("content-type", "application/grpc");

    public static readonly Rule[] All =
    [
        new("5.1 idle", "HEADERS", Ends(Http2ErrorCode.ProtocolError), peer => peer.Open(Sender.Idle)),
        new("5.1 closed by the server's end", "DATA is ignored", Answers(1, 3), peer => [.. peer.Whole(1), .. peer.Part(1), .. peer.Whole(3)]),
        new("5.1 closed by the server's end", "HEADERS are ignored", Answers(1, 3), peer => [.. peer.Whole(1), .. peer.Open(1), .. peer.Whole(3)]),
        new(
            "5.1 closed by the server's end",
            "fields of ignored HEADERS are added to the table",
            Answers(1, 3),
            peer => [
                .. peer.Whole(1),
                .. Headers(1, [.. peer.Block(), 0x40, 0x01, (byte)'x', 0x01, (byte)'1']),
                .. Headers(3, [.. peer.Block(), 0xBE]),
                .. peer.Message(3),
            ]),
        new(
            "5.1 closed by the server's end",
            "CONTINUATION",
            Ends(Http2ErrorCode.ProtocolError, 1),
            peer => [.. peer.Whole(1), .. Make(Http2FrameType.Continuation, EndHeaders, 1, peer.Block())]),
        new("5.1 closed by the server's end", "WINDOW_UPDATE is ignored", Answers(1), peer => [.. peer.Whole(1), .. Update(1, 100)]),
        new("5.1 closed by the server's end", "RST_STREAM is ignored", Answers(1), peer => [.. peer.Whole(1), .. Reset(1)]),
        new("5.1 closed by the server's end", "PRIORITY is ignored", Answers(1), peer => [.. peer.Whole(1), .. Priority(1, 0)]),
        new("5.1 closed by the server's reset", "DATA is ignored", Answers(3), peer => [.. Reset(1), .. peer.Part(1), .. peer.Whole(3)]),
        new("5.1 closed by the server's reset", "another RST_STREAM is ignored", Answers(3), peer => [.. Reset(1), .. Reset(1), .. peer.Whole(3)]),
        new(
            "5.1 closed by the client's reset",
            "frames in flight are dropped",
            Resetting(1, Http2ErrorCode.ProtocolError, 3),
            peer => [.. peer.Open(1, ("BAD", "x")), .. peer.Message(1), .. Update(1, 1), .. Reset(1), .. peer.Whole(3)]),
        new("6.5.2", "ENABLE_PUSH of 1 from a server", Ends(Http2ErrorCode.ProtocolError), _ => Settings((Http2Setting.EnablePush, 1))),
        new("6.5.2", "ENABLE_PUSH of 0 from a server is accepted", Answers(1), peer => [.. Settings((Http2Setting.EnablePush, 0)), .. peer.Whole(1)]),
        new(
            "6.5.2",
            "a stream limit of 0 keeps open streams",
            Answers(1, 3, 5),
            peer => [
                .. Settings((Http2Setting.MaxConcurrentStreams, 0)),
                .. peer.Whole(1),
                .. peer.Whole(3),
                .. peer.Whole(5),
                .. Settings((Http2Setting.MaxConcurrentStreams, 100)),
            ]),
        new("8.1", "data before the headers", Malformed, peer => peer.Part(1)),
        new("8.1", "an interim response before the response", Answers(1), peer => [.. Fields(1, 0, (":status", "103")), .. peer.Whole(1)]),
        new("8.1", "an interim response that ends the stream", Malformed, _ => Fields(1, End, (":status", "103"))),
        new(
            "8.1",
            "fields of an interim response are not in the response",
            Answers(1),
            peer => [.. Fields(1, 0, (":status", "103"), peer.Length(1)), .. peer.Whole(1)]),
        new("8.1", "a trailers-only response", Passes, peer => Fields(1, End, [.. peer.Head, ("grpc-status", "5")])),
        new("8.1.1", "content-length without a body", Malformed, peer => Fields(1, End, [.. peer.Head, ("grpc-status", "5"), ("content-length", "1")])),
        new("8.1.1", "content-length of 0", Passes, peer => Fields(1, End, [.. peer.Head, ("grpc-status", "5"), ("content-length", "0")])),
        new("8.3", "a status after a regular field", Malformed, _ => Fields(1, 0, Type, Status)),
        new("8.3.2", "no status", Malformed, _ => Fields(1, 0, Type)),
        new("8.3.2", "two statuses", Malformed, _ => Fields(1, 0, Status, Status, Type)),
        new("8.3.2", "a status that is not a number", Malformed, _ => Fields(1, 0, (":status", "two"), Type)),
        new(
            "10.5.1",
            "fields that exceed the header list size when decoded",
            Ends(Http2ErrorCode.EnhanceYourCalm),
            peer => Headers(1, [.. peer.Block(), 0x40, 0x01, (byte)'x', 0x01, (byte)'1', .. Enumerable.Repeat((byte)0xBE, 2_000)])),
    ];

    private static byte[] Headers(int stream, byte[] block) => Make(Http2FrameType.Headers, EndHeaders, stream, block);
}
