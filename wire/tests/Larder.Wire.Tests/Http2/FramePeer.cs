using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire.Tests.Http2;

/// <summary>A server whose frames a test controls one by one, so that it can violate the protocol. It handles one connection at a time.</summary>
internal sealed class FramePeer : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private HpackEncoder _encoder = new();
    private Stream _stream = Stream.Null;

    public FramePeer() => _listener.Start();

    public Uri Endpoint => new($"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}");

    /// <summary>Gets the decoder for the client's headers.</summary>
    public HpackDecoder Decoder { get; private set; } = new(4096, 1 << 20);

    public static byte[] Frame(Http2FrameType type, byte flags, int streamId, params ReadOnlySpan<byte> payload)
    {
        byte[] frame = new byte[Http2FrameHeader.Size + payload.Length];
        new Http2FrameHeader(payload.Length, type, flags, streamId).Write(frame);
        payload.CopyTo(frame.AsSpan(Http2FrameHeader.Size));
        return frame;
    }

    public static byte[] Int32(params ReadOnlySpan<int> values)
    {
        byte[] bytes = new byte[values.Length * 4];
        for (int index = 0; index < values.Length; index++)
        {
            BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(index * 4), values[index]);
        }

        return bytes;
    }

    public static byte[] Settings(params ReadOnlySpan<(Http2Setting Id, int Value)> settings)
    {
        using FrameBuffer buffer = new();
        buffer.AddSettings(settings);
        return buffer.Written.ToArray();
    }

    public static byte[] WindowUpdate(int streamId, int bytes) => Frame(Http2FrameType.WindowUpdate, 0, streamId, Int32(bytes));

    public static byte[] Reset(int streamId, Http2ErrorCode code) => Frame(Http2FrameType.ResetStream, 0, streamId, Int32((int)code));

    public static byte[] GoAway(int last, Http2ErrorCode code = Http2ErrorCode.NoError) => Frame(Http2FrameType.GoAway, 0, 0, Int32(last, (int)code));

    public RpcChannel Connect(Func<RpcChannelOptions, RpcChannelOptions>? change = null)
    {
        // The timeout is long, because a stall of the machine must not count as a lost peer.
        RpcChannelOptions options = new() { Endpoint = Endpoint, ConnectTimeout = TestCalls.Patience, KeepAlivePingTimeout = TestCalls.Patience };
        return new RpcChannel(change is null ? options : change(options));
    }

    /// <summary>Accepts the next connection and sends nothing.</summary>
    public async Task AcceptRawAsync()
    {
        Socket socket = await _listener.AcceptSocketAsync().WaitAsync(TestCalls.Patience);
        socket.NoDelay = true;
        await _stream.DisposeAsync();
        _stream = new NetworkStream(socket, ownsSocket: true);
        _encoder = new HpackEncoder();
        Decoder = new HpackDecoder(4096, 1 << 20);
    }

    /// <summary>Accepts the next connection and sends the given settings.</summary>
    public async Task AcceptAsync(params (Http2Setting Id, int Value)[] settings)
    {
        await AcceptRawAsync();
        byte[] preface = new byte[24];
        await _stream.ReadExactlyAsync(preface).AsTask().WaitAsync(TestCalls.Patience);
        Assert.Equal("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", System.Text.Encoding.ASCII.GetString(preface));
        await SendAsync(Settings(settings));
    }

    public async Task SendAsync(params byte[][] frames) =>
        await _stream.WriteAsync(frames.SelectMany(frame => frame).ToArray()).AsTask().WaitAsync(TestCalls.Patience);

    /// <summary>Reads the client's next frame; null if the client has closed the connection.</summary>
    public async Task<(Http2FrameHeader Header, byte[] Payload)?> ReadAsync()
    {
        byte[] header = new byte[Http2FrameHeader.Size];
        try
        {
            int read = await _stream.ReadAtLeastAsync(header, header.Length, throwOnEndOfStream: false).AsTask().WaitAsync(TestCalls.Patience);
            if (read < header.Length)
            {
                return null;
            }
        }
        catch (IOException)
        {
            // The client closed the connection while data was still unread.
            return null;
        }

        Http2FrameHeader parsed = Http2FrameHeader.Read(header);
        byte[] payload = new byte[parsed.Length];
        await _stream.ReadExactlyAsync(payload).AsTask().WaitAsync(TestCalls.Patience);
        return (parsed, payload);
    }

    /// <summary>Reads until a frame of the given type arrives. If a stream is given, the frame must belong to that stream.</summary>
    public async Task<(Http2FrameHeader Header, byte[] Payload)> ReadAsync(Http2FrameType type, int? streamId = null)
    {
        while (await ReadAsync() is { } frame)
        {
            if (
                frame.Header.Type == type
                && !frame.Header.Has(type == Http2FrameType.Settings ? Http2FrameHeader.Acknowledged : (byte)0)
                && (streamId ?? frame.Header.StreamId) == frame.Header.StreamId)
            {
                return frame;
            }
        }

        throw new InvalidOperationException($"The client closed before it sent {type}.");
    }

    /// <summary>Reads one complete request and returns its key.</summary>
    public async Task<(int StreamId, string Key)> ReadRequestAsync()
    {
        (Http2FrameHeader headers, byte[] block) = await ReadAsync(Http2FrameType.Headers);
        Decoder.Decode(block, new Hpack.HpackDecoderTests.Fields());
        List<byte> body = [];
        bool ends;
        do
        {
            (Http2FrameHeader data, byte[] payload) = await ReadAsync(Http2FrameType.Data, headers.StreamId);
            body.AddRange(payload);
            ends = data.Has(Http2FrameHeader.EndStream);
        }
        while (!ends);

        return (headers.StreamId, GetRequest.Parser.ParseFrom([.. body[5..]]).Key.ToStringUtf8());
    }

    public byte[] Headers(int streamId, bool endsStream, params (string Name, string Value)[] fields)
    {
        PooledBuffer block = new(256);
        foreach ((string name, string value) in fields)
        {
            _encoder.Write(block, name, value);
        }

        byte flags = (byte)(Http2FrameHeader.EndHeaders | (endsStream ? Http2FrameHeader.EndStream : 0));
        return Frame(Http2FrameType.Headers, flags, streamId, block.WrittenSpan);
    }

    public byte[] AnswerHeaders(int streamId) => Headers(streamId, endsStream: false, (":status", "200"), ("content-type", "application/grpc"));

    public byte[] Trailers(int streamId) => Headers(streamId, endsStream: true, ("grpc-status", "0"));

    public static byte[] Message(string value) => RawCall.Frame(new GetResponse { Value = ByteString.CopyFromUtf8(value) });

    /// <summary>Returns a complete response with <paramref name="value"/>.</summary>
    public byte[] Answer(int streamId, string value) =>
        [.. AnswerHeaders(streamId), .. Frame(Http2FrameType.Data, 0, streamId, Message(value)), .. Trailers(streamId)];

    /// <summary>Closes the current connection.</summary>
    public ValueTask CloseAsync() => _stream.DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        _listener.Stop();
        await _stream.DisposeAsync();
    }
}
