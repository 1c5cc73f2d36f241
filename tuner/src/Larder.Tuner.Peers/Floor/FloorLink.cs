using System.Buffers;
using Larder.Wire.Sockets;

namespace Larder.Tuner.Peers.Floor;

/// <summary>
/// One end of a connection of the floor baseline. All messages of one receive are processed together, and the messages that result from them are sent with one
/// send. There is no overhead beyond the socket.
/// </summary>
internal abstract class FloorLink(IByteTransport transport) : IDisposable
{
    [ThreadStatic]
    private static bool t_gathers;

    private readonly Lock _lock = new();
    private ArrayBufferWriter<byte> _filling = new(64 * 1024);
    private ArrayBufferWriter<byte> _writing = new(64 * 1024);
    private bool _isSending;

    /// <summary>Processes received messages until the peer closes the connection.</summary>
    public async Task RunAsync()
    {
        byte[] room = new byte[256 * 1024];
        int kept = 0;
        try
        {
            while (await transport.ReceiveAsync(room.AsMemory(kept)).ConfigureAwait(false) is > 0 and int count)
            {
                kept = Take(room, kept + count);
            }
        }
        catch (Exception error) when (error is IOException or ObjectDisposedException)
        {
            // The peer has closed the connection, or this link was disposed.
        }

        OnEnded();
    }

    /// <inheritdoc/>
    public void Dispose() => transport.Dispose();

    /// <summary>
    /// Adds a message to the output. If received messages are being processed, it is sent after all of them are processed. Otherwise it is sent immediately.
    /// </summary>
    protected void Send(int call, int wanted, ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        bool sends;
        lock (_lock)
        {
            FloorMessage.Add(_filling, call, wanted, first, second);
            sends = !_isSending && !t_gathers;
            _isSending |= sends;
        }

        if (sends)
        {
            Pump();
        }
    }

    /// <summary>Called for each message received.</summary>
    protected abstract void OnMessage(int call, int wanted);

    /// <summary>Called when the connection has ended.</summary>
    protected abstract void OnEnded();

    private int Take(byte[] room, int count)
    {
        ReadOnlySpan<byte> rest = room.AsSpan(0, count);
        t_gathers = true;
        while (FloorMessage.TryTake(ref rest, out int call, out int wanted))
        {
            OnMessage(call, wanted);
        }

        t_gathers = false;
        rest.CopyTo(room);
        bool sends;
        lock (_lock)
        {
            sends = !_isSending && _filling.WrittenCount > 0;
            _isSending |= sends;
        }

        if (sends)
        {
            Pump();
        }

        return rest.Length;
    }

    private void Pump()
    {
        while (true)
        {
            lock (_lock)
            {
                if (_filling.WrittenCount == 0)
                {
                    _isSending = false;
                    return;
                }

                (_filling, _writing) = (_writing, _filling);
            }

            ValueTask sent = transport.SendAsync(_writing.WrittenMemory);
            if (!sent.IsCompletedSuccessfully)
            {
                _ = PumpAfterAsync(sent);
                return;
            }

            sent.GetAwaiter().GetResult();
            _writing.ResetWrittenCount();
        }
    }

    private async Task PumpAfterAsync(ValueTask sent)
    {
        await sent.ConfigureAwait(false);
        _writing.ResetWrittenCount();
        Pump();
    }
}
