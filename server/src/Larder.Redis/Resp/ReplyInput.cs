using Larder.Wire;

namespace Larder.Redis;

/// <summary>The received bytes of a connection that have not been processed yet. Used by one reader only.</summary>
internal sealed class ReplyInput : IDisposable
{
    // The size of the buffer that is kept between reads. It is enough for several hundred small replies.
    private const int KeptBytes = 64 * 1024;

    // The minimum size of a read. For smaller reads, the system calls would take too much of the CPU time.
    private const int MinRoom = 4 * 1024;

    private readonly RespScanner _scanner;
    private PooledBuffer _bytes = new(KeptBytes);
    private int _taken;

    public ReplyInput(int mostBytes = RespScanner.MaxBytes) => _scanner = new RespScanner(mostBytes);

    /// <summary>Gets whether the last value taken is a push message.</summary>
    public bool IsPush => _scanner.IsPush;

    /// <summary>Returns the memory for the next read. Values taken earlier become invalid.</summary>
    public Memory<byte> Room()
    {
        _bytes.RemoveFirst(_taken);
        _taken = 0;
        if (_bytes.Written == 0)
        {
            _bytes.Reset(KeptBytes);
        }

        return _bytes.GetMemory(MinRoom);
    }

    /// <summary>Records that bytes were received.</summary>
    public void Received(int count) => _bytes.Advance(count);

    /// <summary>Takes the next complete value. Returns false if the next value is incomplete. The value is valid until <see cref="Room"/> is called.</summary>
    /// <exception cref="InvalidDataException">The data is not valid RESP3.</exception>
    public bool TryTake(out Range value)
    {
        if (!_scanner.TryScan(_bytes.WrittenSpan[_taken..], out int length))
        {
            value = default;
            return false;
        }

        value = new Range(_taken, _taken + length);
        _taken += length;
        return true;
    }

    /// <summary>Returns the bytes of a value that was taken.</summary>
    public ReadOnlySpan<byte> At(Range value) => _bytes.WrittenSpan[value];

    public void Dispose() => _bytes.Dispose();
}
