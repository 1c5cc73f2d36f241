using System.Net.Sockets;
using Larder.Harness.Frames;

namespace Larder.Conformance.Hostile;

/// <summary>One client's connection to a hostile server. Reads the client's frames and answers each according to the mode.</summary>
internal sealed class HostilePeer(Socket socket, HostileMode mode, bool isPipeline, int seed, CancellationToken stopping)
{
    // The connection preface, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".
    private const int PrefaceBytes = 24;
    private const int FrameHeaderBytes = 9;

    private readonly List<byte> _received = [];

    /// <summary>Gets whether calls are pipelined. Pipelined calls share one stream, and their answers contain ids.</summary>
    public bool IsPipeline { get; } = isPipeline;

    /// <summary>Gets the source of random numbers, which produces the same numbers in every run.</summary>
    public HostileRandom Random { get; } = new(seed);

    /// <summary>Gets a token that is cancelled when the server stops.</summary>
    public CancellationToken Stopping => stopping;

    /// <summary>Sends all bytes. Waits while the client does not read.</summary>
    /// <exception cref="SocketException">The client has closed the connection.</exception>
    public async Task SendAsync(byte[] bytes)
    {
        for (int sent = 0; sent < bytes.Length;)
        {
            sent += await socket.SendAsync(bytes.AsMemory(sent), stopping).ConfigureAwait(false);
        }
    }

    /// <summary>Sends the same bytes this many times, or until the client closes the connection.</summary>
    public async Task RepeatAsync(byte[] bytes, int times)
    {
        for (int i = 0; i < times; i++)
        {
            await SendAsync(bytes).ConfigureAwait(false);
        }
    }

    /// <summary>Shuts down the connection.</summary>
    public void Close() => socket.Shutdown(SocketShutdown.Both);

    /// <summary>Handles the connection until the client or this server ends it.</summary>
    public async Task ServeAsync()
    {
        try
        {
            socket.NoDelay = true;
            Task greeting = mode.OnConnect(this);
            byte[] buffer = new byte[65_536];
            bool isOpened = false;
            int count;
            while ((count = await socket.ReceiveAsync(buffer, stopping).ConfigureAwait(false)) > 0)
            {
                _received.AddRange(buffer.AsSpan(0, count));
                if (!isOpened && _received.Count >= PrefaceBytes)
                {
                    isOpened = true;
                    _received.RemoveRange(0, PrefaceBytes);
                }

                while (isOpened && TakeFrame() is { } frame)
                {
                    await AnswerAsync(frame.Type, frame.Flags, frame.Stream, frame.Payload).ConfigureAwait(false);
                }
            }

            await greeting.ConfigureAwait(false);
        }
        catch (Exception gone) when (gone is SocketException or OperationCanceledException or ObjectDisposedException)
        {
            // The client closed the connection, or the test has ended.
        }
        finally
        {
            socket.Dispose();
        }
    }

    private (byte Type, byte Flags, int Stream, byte[] Payload)? TakeFrame()
    {
        if (_received.Count < FrameHeaderBytes)
        {
            return null;
        }

        int length = (_received[0] << 16) | (_received[1] << 8) | _received[2];
        if (_received.Count < FrameHeaderBytes + length)
        {
            return null;
        }

        int stream = ((_received[5] & 0x7F) << 24) | (_received[6] << 16) | (_received[7] << 8) | _received[8];
        (byte, byte, int stream, byte[]) frame = (_received[3], _received[4], stream, _received.GetRange(FrameHeaderBytes, length).ToArray());
        _received.RemoveRange(0, FrameHeaderBytes + length);
        return frame;
    }

    private Task AnswerAsync(byte type, byte flags, int stream, byte[] payload) => type switch
    {
        Http2Frame.Settings when (flags & Http2Frame.Acknowledge) == 0 => SendAsync(
            HostileFrame.Of(Http2Frame.Settings, Http2Frame.Acknowledge, 0, [])),
        Http2Frame.Ping when (flags & Http2Frame.Acknowledge) == 0 => SendAsync(
            HostileFrame.Of(Http2Frame.Ping, Http2Frame.Acknowledge, 0, payload)),
        Http2Frame.Headers => mode.OnHeaders(this, stream),
        Http2Frame.Data when payload.Length > 0 => mode.OnData(this, stream, payload),
        _ => Task.CompletedTask,
    };
}
