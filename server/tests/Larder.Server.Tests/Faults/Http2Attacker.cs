using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Larder.Server.Tests.Faults;

/// <summary>A raw socket that sends HTTP/2 frames, valid or invalid.</summary>
internal sealed class Http2Attacker : IDisposable
{
    public const byte Data = 0;
    public const byte Headers = 1;
    public const byte ResetStream = 3;
    public const byte Settings = 4;
    public const byte Ping = 6;
    public const byte WindowUpdate = 8;
    public const byte Continuation = 9;

    public const byte EndStream = 1;
    public const byte EndHeaders = 4;

    // The maximum time to wait for responses, or for the server to close the connection. It is long because a busy machine may be slow.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };

    private Http2Attacker()
    {
    }

    /// <summary>Connects without sending anything.</summary>
    public static async Task<Http2Attacker> ConnectAsync(Uri endpoint)
    {
        Http2Attacker attacker = new();
        await attacker._socket.ConnectAsync(IPAddress.Loopback, endpoint.Port);
        return attacker;
    }

    /// <summary>Connects and opens HTTP/2 with the given settings, which are pairs of an identifier and a value.</summary>
    public static async Task<Http2Attacker> OpenAsync(Uri endpoint, params (ushort Id, uint Value)[] settings)
    {
        Http2Attacker attacker = await ConnectAsync(endpoint);
        byte[] payload = new byte[settings.Length * 6];
        for (int index = 0; index < settings.Length; index++)
        {
            BinaryPrimitives.WriteUInt16BigEndian(payload.AsSpan(index * 6), settings[index].Id);
            BinaryPrimitives.WriteUInt32BigEndian(payload.AsSpan((index * 6) + 2), settings[index].Value);
        }

        await attacker.SendAsync([.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, .. Frame(Settings, 0, 0, payload)]);
        return attacker;
    }

    public static byte[] Frame(byte type, byte flags, int stream, ReadOnlySpan<byte> payload)
    {
        byte[] frame = new byte[9 + payload.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(0), payload.Length << 8);
        frame[3] = type;
        frame[4] = flags;
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(5), stream);
        payload.CopyTo(frame.AsSpan(9));
        return frame;
    }

    /// <summary>Returns the header block of a call. The fields are literals without indexing. Names and values must be shorter than 127 bytes.</summary>
    public static byte[] CallHeaders(string path, params (string Name, string Value)[] more)
    {
        using MemoryStream block = new();
        (string, string)[] headers =
        [
            (":method", "POST"),
            (":scheme", "http"),
            (":path", path),
            (":authority", "localhost"),
            ("content-type", "application/grpc"),
            ("te", "trailers"),
            ("cache", "cache"),
            .. more,
        ];
        foreach ((string name, string value) in headers)
        {
            block.WriteByte(0);
            WriteText(block, name);
            WriteText(block, value);
        }

        return block.ToArray();
    }

    /// <summary>Sends bytes. Returns false if the server has closed the connection.</summary>
    public async Task<bool> SendAsync(byte[] bytes)
    {
        try
        {
            await _socket.SendAsync(bytes);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    /// <summary>
    /// Sends bytes repeatedly until the server closes the connection. Returns false if the server does not close it. Responses are read and discarded.
    /// </summary>
    public async Task<bool> SendUntilClosedAsync(Func<int, byte[]> next)
    {
        using CancellationTokenSource patience = new(Patience);
        Task<bool> closed = WaitUntilClosedAsync(patience.Token);
        for (int number = 0; !closed.IsCompleted && !patience.IsCancellationRequested; number++)
        {
            if (!await SendAsync(next(number)))
            {
                return true;
            }
        }

        return await closed;
    }

    /// <summary>Reads until <paramref name="streams"/> streams have ended.</summary>
    /// <returns>The number of data bytes in all streams.</returns>
    public async Task<long> ReadUntilEndedAsync(int streams)
    {
        using CancellationTokenSource patience = new(Patience);
        await using NetworkStream stream = new(_socket, ownsSocket: false);
        byte[] frame = new byte[9 + (1 << 14)];
        long bytes = 0;
        while (streams > 0)
        {
            await stream.ReadExactlyAsync(frame.AsMemory(0, 9), patience.Token);
            int length = BinaryPrimitives.ReadInt32BigEndian(frame) >>> 8;
            await stream.ReadExactlyAsync(frame.AsMemory(9, length), patience.Token);
            bytes += frame[3] == Data ? length : 0;
            streams -= frame[3] is Data or Headers && (frame[4] & EndStream) != 0 ? 1 : 0;
        }

        return bytes;
    }

    /// <summary>Reads and discards all data until the server closes the connection. Returns false if the server does not close it.</summary>
    public async Task<bool> WaitUntilClosedAsync()
    {
        using CancellationTokenSource patience = new(Patience);
        return await WaitUntilClosedAsync(patience.Token);
    }

    public void Dispose() => _socket.Dispose();

    private static void WriteText(MemoryStream block, string text)
    {
        block.WriteByte((byte)text.Length);
        block.Write(Encoding.ASCII.GetBytes(text));
    }

    private async Task<bool> WaitUntilClosedAsync(CancellationToken patience)
    {
        byte[] buffer = new byte[64 * 1024];
        try
        {
            while (await _socket.ReceiveAsync(buffer, patience) > 0)
            {
            }

            return true;
        }
        catch (SocketException)
        {
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }
}
