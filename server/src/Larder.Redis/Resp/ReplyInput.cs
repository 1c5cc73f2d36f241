using Larder.Wire;

namespace Larder.Redis;

/// <summary>What has come from a node and was not taken yet. One reader.</summary>
internal sealed class ReplyInput : IDisposable
{
    // Kept between reads: some hundred small answers, or a value of the small connection.
    private const int KeptBytes = 64 * 1024;

    // A read smaller than this is not worth its call.
    private const int LeastRoom = 4 * 1024;

    private readonly RespScanner _scanner;
    private PooledBuffer _bytes = new(KeptBytes);
    private int _taken;

    public ReplyInput(int mostBytes = RespScanner.MostBytes) => _scanner = new RespScanner(mostBytes);

    /// <summary>Whether the value that was taken last is a push.</summary>
    public bool IsPush => _scanner.IsPush;

    /// <summary>Where the next bytes go. What was taken is forgotten by it.</summary>
    public Memory<byte> Room()
    {
        _bytes.RemoveFirst(_taken);
        _taken = 0;
        if (_bytes.Written == 0)
        {
            _bytes.Reset(KeptBytes);
        }

        return _bytes.GetMemory(LeastRoom);
    }

    /// <summary>So many bytes have come into the room.</summary>
    public void Received(int count) => _bytes.Advance(count);

    /// <summary>Takes the next whole value; false where it is not there yet. Valid until <see cref="Room"/>.</summary>
    /// <exception cref="InvalidDataException">It is no RESP3.</exception>
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

    /// <summary>The bytes of a value that was taken.</summary>
    public ReadOnlySpan<byte> At(Range value) => _bytes.WrittenSpan[value];

    public void Dispose() => _bytes.Dispose();
}
