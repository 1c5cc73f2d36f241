namespace Larder.Wire;

/// <summary>A duplex call for tests that write and read at any time. If the test does not read, the window fills, and the server stops sending.</summary>
internal sealed class DuplexBytes : IOutputSource, IAsyncDisposable
{
    private readonly DuplexCall _call;
    private readonly Lock _lock = new();
    private byte[] _unsent = new byte[64];
    private int _start;
    private int _count;

    public DuplexBytes(DuplexCall call)
    {
        _call = call;
        call.Send(this);
    }

    /// <summary>Gets the number of bytes that the connection has not read from this source.</summary>
    public int Unsent
    {
        get
        {
            lock (_lock)
            {
                return _count;
            }
        }
    }

    /// <summary>Queues bytes. They are sent after the earlier bytes, as soon as the server accepts them.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        lock (_lock)
        {
            if (_unsent.Length - _start - _count < bytes.Length)
            {
                byte[] larger = new byte[(_count + bytes.Length) * 2];
                _unsent.AsSpan(_start, _count).CopyTo(larger);
                _unsent = larger;
                _start = 0;
            }

            bytes.CopyTo(_unsent.AsSpan(_start + _count));
            _count += bytes.Length;
        }

        _call.Signal();
    }

    public ValueTask<int> ReadAsync(Memory<byte> buffer) => _call.ReadAsync(buffer);

    public void CompleteWriting() => _call.CompleteWriting();

    public ValueTask DisposeAsync() => _call.DisposeAsync();

    int IOutputSource.Read(Span<byte> room)
    {
        lock (_lock)
        {
            int length = Math.Min(room.Length, _count);
            _unsent.AsSpan(_start, length).CopyTo(room);
            _count -= length;
            _start = _count == 0 ? 0 : _start + length;
            return length;
        }
    }
}
