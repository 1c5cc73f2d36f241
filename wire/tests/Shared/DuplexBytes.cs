using System.Threading.Channels;

namespace Larder.Wire;

/// <summary>A duplex call as a test drives it: it writes what it likes, and reads when it likes. What it does not read before its first read waits unread.</summary>
internal sealed class DuplexBytes : IOutputSource, IDuplexReceiver, IAsyncDisposable
{
    private readonly DuplexCall _call;
    private readonly Lock _lock = new();
    private readonly Channel<byte[]> _arrived = Channel.CreateUnbounded<byte[]>();
    private ReadOnlyMemory<byte> _unsent;
    private ReadOnlyMemory<byte> _unread;
    private bool _receives;

    public DuplexBytes(DuplexCall call)
    {
        _call = call;
        call.Send(this);
    }

    /// <summary>Bytes that the connection has not fetched.</summary>
    public int Unsent
    {
        get
        {
            lock (_lock)
            {
                return _unsent.Length;
            }
        }
    }

    /// <summary>Sends bytes, as far as the server takes them, behind those that were sent before.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        lock (_lock)
        {
            _unsent = (byte[])[.. _unsent.Span, .. bytes];
        }

        _call.Signal();
    }

    /// <summary>Reads what has arrived, at least one byte; 0 when the server has ended the stream with OK, and its error where it ended it otherwise.</summary>
    public async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        if (!_receives)
        {
            _receives = true;
            _call.Receive(this);
        }

        while (_unread.IsEmpty)
        {
            if (!await _arrived.Reader.WaitToReadAsync(cancellationToken))
            {
                return 0;
            }

            _arrived.Reader.TryRead(out byte[]? arrived);
            _unread = arrived;
        }

        int length = Math.Min(buffer.Length, _unread.Length);
        _unread[..length].CopyTo(buffer);
        _unread = _unread[length..];
        return length;
    }

    public void CompleteWriting() => _call.CompleteWriting();

    public ValueTask DisposeAsync() => _call.DisposeAsync();

    int IOutputSource.Read(Span<byte> room)
    {
        lock (_lock)
        {
            int length = Math.Min(room.Length, _unsent.Length);
            _unsent.Span[..length].CopyTo(room);
            _unsent = _unsent[length..];
            return length;
        }
    }

    void IDuplexReceiver.OnBytes(ReadOnlySpan<byte> bytes, ICallerBatch callers) => _arrived.Writer.TryWrite(bytes.ToArray());

    void IDuplexReceiver.OnReadEnd(ICallerBatch callers)
    {
        // Nobody waits for it.
    }

    void IDuplexReceiver.OnEnded(Exception? error) => _arrived.Writer.TryComplete(error);
}
