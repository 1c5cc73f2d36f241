using System.Buffers.Binary;
using System.Net.Sockets;
using Larder.Harness.Frames;

namespace Larder.Lab.Peers.Attacks;

/// <summary>
/// A plaintext HTTP/2 connection that obeys the protocol, so that only the requests are hostile. It acknowledges settings, answers pings and stays within the
/// server's windows.
/// </summary>
internal sealed class AttackConnection : IAsyncDisposable
{
    /// <summary>The largest flow-control window of RFC 9113, for attacks that must not limit what the server sends.</summary>
    public const int OpenWindow = 0x7FFF_FFFF;

    /// <summary>The initial flow-control window of the protocol.</summary>
    public const int FirstWindow = 65_535;

    private const int MaxFrameBytes = 16_384;

    // One write contains at most 16 frames.
    private const int MaxWriteBytes = 16 * MaxFrameBytes;

    private readonly Socket _socket;
    private readonly AttackCounts _counts;
    private readonly Dictionary<int, AttackStream> _streams = [];
    private readonly Lock _lock = new();
    private readonly SemaphoreSlim _writing = new(1);
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _reading = Task.CompletedTask;
    private long _window = FirstWindow;
    private long _initialWindow = FirstWindow;
    private int _nextStream = 1;
    private bool _isClosed;

    private AttackConnection(Socket socket, AttackCounts counts) => (_socket, _counts) = (socket, counts);

    /// <summary>Opens a connection.</summary>
    /// <param name="target">The server.</param>
    /// <param name="counts">Counts the connection and the requests sent on it.</param>
    /// <param name="window">
    /// The flow-control window of the streams and of the connection: the number of bytes that the server may send without a window update.
    /// </param>
    /// <param name="stop">Stops the attack.</param>
    public static async Task<AttackConnection> OpenAsync(AttackTarget target, AttackCounts counts, int window, CancellationToken stop)
    {
        Socket socket = await AttackSocket.ConnectAsync(target.Server, counts, stop).ConfigureAwait(false);
        var connection = new AttackConnection(socket, counts);
        try
        {
            connection._reading = connection.ReadAsync();
            await connection.WriteAsync(Opening(window), stop).ConfigureAwait(false);
            return connection;
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Returns the first bytes of a connection: the preface, the stream window, and the connection window if it is larger than the initial window.
    /// </summary>
    public static byte[] Opening(int window)
    {
        byte[] setting = new byte[6];
        BinaryPrimitives.WriteUInt16BigEndian(setting, 4);
        BinaryPrimitives.WriteInt32BigEndian(setting.AsSpan(2), window);
        return
        [
            .. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8,
            .. new Http2Frame(Http2Frame.Settings, 0, 0, setting).ToBytes(),
            .. window > FirstWindow ? Http2Frame.Of(Http2Frame.WindowUpdate, 0, (uint)(window - FirstWindow)).ToBytes() : [],
        ];
    }

    /// <summary>Starts a call.</summary>
    public async Task<AttackStream> CallAsync(byte[] headerBlock, CancellationToken stop)
    {
        // Streams must be opened in the order of their ids.
        await _writing.WaitAsync(stop).ConfigureAwait(false);
        try
        {
            AttackStream stream;
            lock (_lock)
            {
                if (_isClosed)
                {
                    throw new IOException("the server closed the connection");
                }

                stream = new AttackStream(_nextStream, _initialWindow);
                _nextStream += 2;
                _streams.Add(stream.Id, stream);
            }

            await SendAllAsync(new Http2Frame(Http2Frame.Headers, Http2Frame.EndHeaders, stream.Id, headerBlock).ToBytes(), stop).ConfigureAwait(false);
            return stream;
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>Makes a complete call.</summary>
    /// <returns>The stream, which has not ended yet.</returns>
    public async Task<AttackStream> CallAsync(byte[] headerBlock, ReadOnlyMemory<byte> framed, CancellationToken stop)
    {
        AttackStream stream = await CallAsync(headerBlock, stop).ConfigureAwait(false);
        _ = await SendAsync(stream, framed, isEnd: true, stop).ConfigureAwait(false);
        return stream;
    }

    /// <summary>Sends data within the server's windows.</summary>
    /// <returns>False if the server ended the stream before everything was sent.</returns>
    /// <exception cref="IOException">The server closed the connection.</exception>
    public async Task<bool> SendAsync(AttackStream stream, ReadOnlyMemory<byte> data, bool isEnd, CancellationToken stop)
    {
        while (data.Length > 0)
        {
            int room;
            Task changed;
            lock (_lock)
            {
                if (stream.Ended.IsCompleted)
                {
                    return false;
                }

                if (_isClosed)
                {
                    throw new IOException("the server closed the connection");
                }

                room = (int)Math.Min(Math.Min(_window, stream.Window), Math.Min(data.Length, MaxWriteBytes));
                _window -= Math.Max(0, room);
                stream.Window -= Math.Max(0, room);
                changed = _changed.Task;
            }

            if (room <= 0)
            {
                await changed.WaitAsync(stop).ConfigureAwait(false);
                continue;
            }

            await WriteAsync(DataFrames(stream.Id, data[..room], isEnd && room == data.Length), stop).ConfigureAwait(false);
            data = data[room..];
        }

        return true;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _socket.Dispose();
        await _reading.ConfigureAwait(false);
        _writing.Dispose();
    }

    private static byte[] DataFrames(int stream, ReadOnlyMemory<byte> data, bool isEnd)
    {
        using var frames = new MemoryStream(data.Length + (Http2Frame.HeaderBytes * ((data.Length / MaxFrameBytes) + 1)));
        for (int at = 0; at < data.Length; at += MaxFrameBytes)
        {
            int length = Math.Min(MaxFrameBytes, data.Length - at);
            byte flags = isEnd && at + length == data.Length ? Http2Frame.EndStream : (byte)0;
            frames.Write(new Http2Frame(Http2Frame.Data, flags, stream, data.Slice(at, length).ToArray()).ToBytes());
        }

        return frames.ToArray();
    }

    private async Task WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken stop)
    {
        await _writing.WaitAsync(stop).ConfigureAwait(false);
        try
        {
            await SendAllAsync(bytes, stop).ConfigureAwait(false);
        }
        finally
        {
            _writing.Release();
        }
    }

    private async Task SendAllAsync(ReadOnlyMemory<byte> bytes, CancellationToken stop)
    {
        _counts.AddBytes(bytes.Length);
        while (bytes.Length > 0)
        {
            bytes = bytes[await _socket.SendAsync(bytes, stop).ConfigureAwait(false)..];
        }
    }

    private async Task ReadAsync()
    {
        byte[] buffer = new byte[256 * 1024];
        int kept = 0;
        try
        {
            while (await _socket.ReceiveAsync(buffer.AsMemory(kept)).ConfigureAwait(false) is > 0 and int read)
            {
                int end = kept + read, at = 0;
                while (end - at >= Http2Frame.HeaderBytes && Http2Frame.HeaderBytes + Length(buffer, at) is int whole && end - at >= whole)
                {
                    await HandleAsync(buffer.AsMemory(at, whole)).ConfigureAwait(false);
                    at += whole;
                }

                buffer.AsSpan(at, end - at).CopyTo(buffer);
                kept = end - at;
            }
        }
        catch (Exception gone) when (gone is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            // The attacker or the server closed the connection.
        }

        lock (_lock)
        {
            _isClosed = true;
            foreach (AttackStream stream in _streams.Values)
            {
                stream.End(isRefused: true);
            }

            _changed.TrySetResult();
        }
    }

    private async Task HandleAsync(ReadOnlyMemory<byte> frame)
    {
        (byte type, byte flags) = (frame.Span[3], frame.Span[4]);
        int id = BinaryPrimitives.ReadInt32BigEndian(frame.Span[5..]) & OpenWindow;
        ReadOnlyMemory<byte> payload = frame[Http2Frame.HeaderBytes..];
        switch (type)
        {
            case Http2Frame.Settings when (flags & Http2Frame.Acknowledge) == 0:
                Apply(payload.Span);
                await WriteAsync(new Http2Frame(Http2Frame.Settings, Http2Frame.Acknowledge, 0, []).ToBytes(), default).ConfigureAwait(false);
                break;
            case Http2Frame.Ping when (flags & Http2Frame.Acknowledge) == 0:
                await WriteAsync(new Http2Frame(Http2Frame.Ping, Http2Frame.Acknowledge, 0, payload.ToArray()).ToBytes(), default).ConfigureAwait(false);
                break;
            case Http2Frame.WindowUpdate:
                Widen(id, BinaryPrimitives.ReadInt32BigEndian(payload.Span) & OpenWindow);
                break;
            case Http2Frame.Data or Http2Frame.Headers or Http2Frame.Reset:
                Advance(id, isData: type == Http2Frame.Data, isEnd: type == Http2Frame.Reset || (flags & Http2Frame.EndStream) != 0);
                break;
        }
    }

    private void Apply(ReadOnlySpan<byte> settings)
    {
        for (; settings.Length >= 6; settings = settings[6..])
        {
            if (BinaryPrimitives.ReadUInt16BigEndian(settings) == 4)
            {
                long initial = BinaryPrimitives.ReadUInt32BigEndian(settings[2..]);
                lock (_lock)
                {
                    foreach (AttackStream stream in _streams.Values)
                    {
                        stream.Window += initial - _initialWindow;
                    }

                    _initialWindow = initial;
                    Signal();
                }
            }
        }
    }

    private void Widen(int id, int bytes)
    {
        lock (_lock)
        {
            if (id == 0)
            {
                _window += bytes;
            }
            else if (_streams.TryGetValue(id, out AttackStream? stream))
            {
                stream.Window += bytes;
            }

            Signal();
        }
    }

    private void Advance(int id, bool isData, bool isEnd)
    {
        lock (_lock)
        {
            if (!_streams.TryGetValue(id, out AttackStream? stream))
            {
                return;
            }

            stream.HasData |= isData;
            if (isEnd)
            {
                _streams.Remove(id);
                _counts.AddEnded(isRefused: !stream.HasData);
                stream.End(isRefused: !stream.HasData);
                Signal();
            }
        }
    }

    private void Signal()
    {
        _changed.TrySetResult();
        _changed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    private static int Length(byte[] frame, int at) => (frame[at] << 16) | (frame[at + 1] << 8) | frame[at + 2];
}
