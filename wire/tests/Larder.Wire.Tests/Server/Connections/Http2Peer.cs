using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire.Tests.Server.Connections;

/// <summary>A client whose frames a test controls one by one. The frames can be valid or invalid.</summary>
internal sealed class Http2Peer : IDisposable
{
    public const string EchoPath = "/test.Cache/Echo";

    private static readonly byte[] Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8.ToArray();
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };

    public sealed record Frame(Http2FrameHeader Header, byte[] Payload)
    {
        public int Int32(int at) => BinaryPrimitives.ReadInt32BigEndian(Payload.AsSpan(at));
    }

    public static async Task<Http2Peer> ConnectAsync(Uri endpoint)
    {
        Http2Peer peer = new();
        await peer._socket.ConnectAsync(IPAddress.Loopback, endpoint.Port).WaitAsync(TestCalls.Patience);
        return peer;
    }

    /// <summary>Connects, and sends the preface and the given settings.</summary>
    public static async Task<Http2Peer> OpenAsync(Uri endpoint, params (Http2Setting Id, uint Value)[] settings)
    {
        Http2Peer peer = await ConnectAsync(endpoint);
        await peer.SendAsync([.. Preface, .. Settings(settings)]);
        return peer;
    }

    public static byte[] Settings(params (Http2Setting Id, uint Value)[] settings)
    {
        byte[] payload = new byte[settings.Length * 6];
        for (int index = 0; index < settings.Length; index++)
        {
            BinaryPrimitives.WriteUInt16BigEndian(payload.AsSpan(index * 6), (ushort)settings[index].Id);
            BinaryPrimitives.WriteUInt32BigEndian(payload.AsSpan((index * 6) + 2), settings[index].Value);
        }

        return Make(Http2FrameType.Settings, 0, 0, payload);
    }

    public static byte[] Make(Http2FrameType type, byte flags, int streamId, params byte[] payload)
    {
        byte[] frame = new byte[Http2FrameHeader.Size + payload.Length];
        new Http2FrameHeader(payload.Length, type, flags, streamId).Write(frame);
        payload.CopyTo(frame, Http2FrameHeader.Size);
        return frame;
    }

    /// <summary>Returns the header block of a call to <paramref name="path"/>.</summary>
    public static byte[] Block(string path = EchoPath, params (string Name, string Value)[] more) =>
        Encode([(":method", "POST"), (":scheme", "http"), (":path", path), ("content-type", "application/grpc"), .. more]);

    /// <summary>Returns a header block with the given fields, without indexing.</summary>
    public static byte[] Encode(params (string Name, string Value)[] fields)
    {
        using PooledBuffer block = new(256);
        foreach ((string name, string value) in fields)
        {
            HpackWriter.WriteInteger(block, HpackWriter.LiteralWithoutIndexing, 4, 0);
            HpackWriter.WriteString(block, name);
            HpackWriter.WriteString(block, value);
        }

        return block.WrittenSpan.ToArray();
    }

    /// <summary>Returns a complete call: headers, and one message that ends the stream.</summary>
    public static byte[] Call(int streamId, byte[] message, string path = EchoPath) =>
    [
        .. Make(Http2FrameType.Headers, Http2FrameHeader.EndHeaders, streamId, Block(path)),
        .. Make(Http2FrameType.Data, Http2FrameHeader.EndStream, streamId, RawCall.Frame(message, isCompressed: false)),
    ];

    public static byte[] Number(int value)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, value);
        return bytes;
    }

    public async Task SendAsync(byte[] bytes)
    {
        for (int sent = 0; sent < bytes.Length;)
        {
            sent += await _socket.SendAsync(bytes.AsMemory(sent)).AsTask().WaitAsync(TestCalls.Patience);
        }
    }

    /// <summary>Reads the next frame; null if the server has closed the connection.</summary>
    public async Task<Frame?> ReadAsync()
    {
        byte[] header = new byte[Http2FrameHeader.Size];
        if (!await FillAsync(header))
        {
            return null;
        }

        Http2FrameHeader read = Http2FrameHeader.Read(header);
        byte[] payload = new byte[read.Length];
        return await FillAsync(payload) ? new Frame(read, payload) : null;
    }

    /// <summary>Reads until a frame of the given type arrives. Does not reply to other frames.</summary>
    public async Task<Frame> ReadUntilAsync(Http2FrameType type)
    {
        string goodbye = "no goodbye";
        while (await ReadAsync() is { } frame)
        {
            if (frame.Header.Type == type)
            {
                return frame;
            }

            goodbye = frame.Header.Type == Http2FrameType.GoAway ? $"{(Http2ErrorCode)frame.Int32(4)}" : goodbye;
        }

        throw new InvalidOperationException($"The server closed the connection, with {goodbye}, and sent no {type}.");
    }

    /// <summary>Returns the code of the GOAWAY that ends the connection; null if the connection ends without a GOAWAY.</summary>
    public async Task<Http2ErrorCode?> ReadGoodbyeAsync()
    {
        Http2ErrorCode? code = null;
        while (await ReadAsync() is { } frame)
        {
            if (frame.Header.Type == Http2FrameType.GoAway)
            {
                code = (Http2ErrorCode)frame.Int32(4);
            }
        }

        return code;
    }

    public void Dispose() => _socket.Dispose();

    private async Task<bool> FillAsync(byte[] buffer)
    {
        try
        {
            for (int filled = 0; filled < buffer.Length;)
            {
                int read = await _socket.ReceiveAsync(buffer.AsMemory(filled)).AsTask().WaitAsync(TestCalls.Patience);
                if (read == 0)
                {
                    return false;
                }

                filled += read;
            }

            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
