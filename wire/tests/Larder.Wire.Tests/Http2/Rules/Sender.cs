using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>
/// The side that sends the frames of a rule: a client that sends to the server, or a server that sends to the client. Builds the frames that both sides have in
/// common.
/// </summary>
internal abstract class Sender
{
    /// <summary>The id of a stream that was never opened.</summary>
    public const int Idle = 101;

    /// <summary>The client's side. It sends echo calls to the server.</summary>
    public static readonly Sender Client = new ClientSpeaker();

    /// <summary>The server's side. It responds to the Get calls on streams 1, 3 and 5.</summary>
    public static readonly Sender Server = new ServerSpeaker();

    /// <summary>The header fields that begin a message.</summary>
    public abstract (string Name, string Value)[] Head { get; }

    /// <summary>A pseudo-header that only the other side may send.</summary>
    public abstract (string Name, string Value) Foreign { get; }

    /// <summary>A pseudo-header that this side may send.</summary>
    public abstract (string Name, string Value) Own { get; }

    /// <summary>The header block of <see cref="Head"/>, with indexed fields if the static table contains them.</summary>
    public abstract byte[] IndexedBlock { get; }

    /// <summary>The bytes of one gRPC message.</summary>
    public abstract byte[] Body { get; }

    /// <summary>
    /// Returns the number of bytes that the first call has used of its stream's window. For stream 0, returns the number of bytes that all calls have used of
    /// the connection's window.
    /// </summary>
    public abstract int Used(int stream);

    /// <summary>Returns the header block of <see cref="Head"/> and more fields, without indexing.</summary>
    public byte[] Block(params (string Name, string Value)[] more) => Encode([.. Head, .. more]);

    /// <summary>Returns a HEADERS frame that begins a message. DATA frames follow it.</summary>
    public byte[] Open(int stream, params (string Name, string Value)[] more) => Make(Http2FrameType.Headers, Rule.EndHeaders, stream, Block(more));

    /// <summary>Returns a DATA frame that ends the message, and the frames that must follow it.</summary>
    public abstract byte[] Last(int stream, byte[] data, byte flags = 0);

    /// <summary>Returns the frames that follow <see cref="Open"/> in a complete call or response. They end the stream.</summary>
    public byte[] Message(int stream) => Last(stream, Body);

    /// <summary>Returns the message without the end of the stream.</summary>
    public byte[] Part(int stream) => Make(Http2FrameType.Data, 0, stream, Body);

    /// <summary>Returns a HEADERS frame with trailers. By default, it ends the stream.</summary>
    public abstract byte[] Trailers(int stream, byte flags = Rule.End);

    /// <summary>Returns a content-length field with the size of the message plus <paramref name="more"/>.</summary>
    public (string Name, string Value) Length(int more = 0) => ("content-length", $"{Body.Length + more}");

    /// <summary>Returns a complete call or response.</summary>
    public byte[] Whole(int stream) => [.. Open(stream), .. Message(stream)];

    private sealed class ClientSpeaker : Sender
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

    private sealed class ServerSpeaker : Sender
    {
        // The size of a Get request with a one-byte key: five bytes of gRPC and three bytes of protobuf.
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
