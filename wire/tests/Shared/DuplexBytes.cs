using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;

namespace Larder.Wire;

/// <summary>
/// A duplex call as a test drives it: it writes what it likes, and reads when it likes. What it does not read before its first read waits unread. In the steady
/// state it allocates nothing: there are tests that count.
/// </summary>
internal sealed class DuplexBytes : IOutputSource, IDuplexReceiver, IValueTaskSource, IAsyncDisposable
{
    private readonly DuplexCall _call;
    private readonly Lock _lock = new();
    private readonly ByteQueue _unsent = new();
    private readonly ByteQueue _unread = new();
    private ManualResetValueTaskSourceCore<bool> _arrived = new() { RunContinuationsAsynchronously = true };
    private bool _isWaiting;
    private Exception? _error;
    private bool _hasEnded;
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
                return _unsent.Count;
            }
        }
    }

    /// <summary>Sends bytes, as far as the server takes them, behind those that were sent before.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        lock (_lock)
        {
            _unsent.Add(bytes);
        }

        _call.Signal();
    }

    /// <summary>Reads what has arrived, at least one byte; 0 when the server has ended the stream with OK, and its error where it ended it otherwise.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        if (!_receives)
        {
            _receives = true;
            _call.Receive(this);
        }

        while (true)
        {
            ValueTask arrived;
            lock (_lock)
            {
                if (_unread.Count > 0)
                {
                    return _unread.Take(buffer.Span);
                }

                if (_hasEnded)
                {
                    return _error is null ? 0 : throw _error;
                }

                _arrived.Reset();
                _isWaiting = true;
                arrived = new ValueTask(this, _arrived.Version);
            }

            using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(static call => ((DuplexBytes)call!).Wake(), this);
            await arrived;
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    public void CompleteWriting() => _call.CompleteWriting();

    public ValueTask DisposeAsync() => _call.DisposeAsync();

    int IOutputSource.Read(Span<byte> room)
    {
        lock (_lock)
        {
            return _unsent.Take(room);
        }
    }

    void IDuplexReceiver.OnBytes(ReadOnlySpan<byte> bytes, ICallerBatch callers)
    {
        lock (_lock)
        {
            _unread.Add(bytes);
        }

        Wake();
    }

    void IDuplexReceiver.OnReadEnd(ICallerBatch callers)
    {
        // Nobody waits for it.
    }

    void IDuplexReceiver.OnEnded(Exception? error)
    {
        lock (_lock)
        {
            _error = error;
            _hasEnded = true;
        }

        Wake();
    }

    void IValueTaskSource.GetResult(short token) => _arrived.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _arrived.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _arrived.OnCompleted(continuation, state, token, flags);

    private void Wake()
    {
        lock (_lock)
        {
            if (!_isWaiting)
            {
                return;
            }

            _isWaiting = false;
        }

        _arrived.SetResult(true);
    }

    // Used again and again: where memory is counted, a test's own is little.
    private sealed class ByteQueue
    {
        private byte[] _bytes = new byte[64];
        private int _start;

        public int Count { get; private set; }

        public void Add(ReadOnlySpan<byte> bytes)
        {
            if (_bytes.Length - _start - Count < bytes.Length)
            {
                byte[] larger = new byte[(Count + bytes.Length) * 2];
                _bytes.AsSpan(_start, Count).CopyTo(larger);
                _bytes = larger;
                _start = 0;
            }

            bytes.CopyTo(_bytes.AsSpan(_start + Count));
            Count += bytes.Length;
        }

        public int Take(Span<byte> room)
        {
            int length = Math.Min(room.Length, Count);
            _bytes.AsSpan(_start, length).CopyTo(room);
            Count -= length;
            _start = Count == 0 ? 0 : _start + length;
            return length;
        }
    }
}
