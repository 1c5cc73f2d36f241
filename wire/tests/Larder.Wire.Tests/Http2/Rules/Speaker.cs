using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>Who says a rule's frames: a client to the server, or a server to the client. What each says on the way, in words that both have.</summary>
internal abstract class Speaker
{
    /// <summary>A stream that nobody has opened.</summary>
    public const int Idle = 101;

    /// <summary>What is said to the server: calls of an echo.</summary>
    public static readonly Speaker Client = new ClientSpeaker();

    /// <summary>What is said to the client: answers to the gets of its streams 1, 3 and 5.</summary>
    public static readonly Speaker Server = new ServerSpeaker();

    /// <summary>The fields that open a message.</summary>
    public abstract (string Name, string Value)[] Head { get; }

    /// <summary>A pseudo-header that only the other's messages have.</summary>
    public abstract (string Name, string Value) Foreign { get; }

    /// <summary>A pseudo-header of its own.</summary>
    public abstract (string Name, string Value) Own { get; }

    /// <summary>A head's block, as far as the static table names its fields.</summary>
    public abstract byte[] IndexedBlock { get; }

    /// <summary>One gRPC message.</summary>
    public abstract byte[] Body { get; }

    /// <summary>By how much the other's first call has used up a stream's window of the speaker's, and all have the connection's (0).</summary>
    public abstract int Used(int stream);

    /// <summary>A head's block, none of its fields indexed.</summary>
    public byte[] Block(params (string Name, string Value)[] more) => Encode([.. Head, .. more]);

    /// <summary>HEADERS that open a message and go on with data.</summary>
    public byte[] Open(int stream, params (string Name, string Value)[] more) => Make(Http2FrameType.Headers, Rule.EndHeaders, stream, Block(more));

    /// <summary>DATA that ends its message, and whatever must follow it.</summary>
    public abstract byte[] Last(int stream, byte[] data, byte flags = 0);

    /// <summary>The message of <see cref="Whole"/> and the stream's end.</summary>
    public byte[] Message(int stream) => Last(stream, Body);

    /// <summary>The message alone: the stream goes on.</summary>
    public byte[] Part(int stream) => Make(Http2FrameType.Data, 0, stream, Body);

    /// <summary>A block that ends the stream after its message.</summary>
    public abstract byte[] Trailers(int stream, byte flags = Rule.End);

    /// <summary>A content-length of the message, and so much more.</summary>
    public (string Name, string Value) Length(int more = 0) => ("content-length", $"{Body.Length + more}");

    /// <summary>All of a call, or of an answer.</summary>
    public byte[] Whole(int stream) => [.. Open(stream), .. Message(stream)];

    private sealed class ClientSpeaker : Speaker
    {
        public override (string Name, string Value)[] Head =>
            [(":method", "POST"), (":scheme", "http"), (":path", EchoPath), ("content-type", "application/grpc")];

        public override (string Name, string Value) Foreign => (":status", "200");

        public override (string Name, string Value) Own => (":method", "POST");

        public override byte[] IndexedBlock => [0x83, 0x86, .. Encode((":path", EchoPath), ("content-type", "application/grpc"))];

        public override byte[] Body => [0, 0, 0, 0, 1, 7];

        public override int Used(int stream) => 0;

        public override byte[] Last(int stream, byte[] data, byte flags = 0) => Make(Http2FrameType.Data, (byte)(flags | Rule.End), stream, data);

        public override byte[] Trailers(int stream, byte flags = Rule.End) => Rule.Fields(stream, flags, ("x-last", "1"));
    }

    private sealed class ServerSpeaker : Speaker
    {
        // Of a get of one byte: gRPC's five, and three of protobuf.
        private const int RequestBytes = 8;

        public override (string Name, string Value)[] Head => [(":status", "200"), ("content-type", "application/grpc")];

        public override (string Name, string Value) Foreign => (":path", "/");

        public override (string Name, string Value) Own => (":status", "200");

        public override byte[] IndexedBlock => [0x88, .. Encode(("content-type", "application/grpc"))];

        public override byte[] Body => FramePeer.Message("v");

        public override int Used(int stream) => stream == 0 ? 3 * RequestBytes : RequestBytes;

        public override byte[] Last(int stream, byte[] data, byte flags = 0) => [.. Make(Http2FrameType.Data, flags, stream, data), .. Trailers(stream)];

        public override byte[] Trailers(int stream, byte flags = Rule.End) => Rule.Fields(stream, flags, ("grpc-status", "0"));
    }
}
