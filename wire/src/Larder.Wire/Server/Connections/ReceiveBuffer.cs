namespace Larder.Wire;

/// <summary>
/// What has arrived on a connection and is not yet parsed, in one piece. It begins small, so that idle connections are cheap, and doubles up to
/// <see cref="MaxBytes"/> while receives fill it.
/// </summary>
internal sealed class ReceiveBuffer
{
    // The largest frame with its header is 16,393 bytes; more at once saves receives: 128 KB hold about a thousand small calls.
    public const int MaxBytes = 128 * 1024;
    private const int FirstBytes = 4 * 1024;

    private byte[] _array = new byte[FirstBytes];
    private int _start;
    private int _end;

    public ReadOnlySpan<byte> Unread => _array.AsSpan(_start, _end - _start);

    /// <summary>Where the next receive goes: at least one byte.</summary>
    public Memory<byte> Room()
    {
        if (_start == _end)
        {
            _start = 0;
            _end = 0;
        }

        if (_end == _array.Length)
        {
            MakeRoom();
        }

        return _array.AsMemory(_end);
    }

    /// <summary>Notes that <paramref name="count"/> bytes were received; a receive that filled the room makes the next one's larger.</summary>
    public void Received(int count)
    {
        _end += count;
        if (_end == _array.Length && _array.Length < MaxBytes)
        {
            Grow();
        }
    }

    public void Consume(int count) => _start += count;

    private void MakeRoom()
    {
        if (_start > 0)
        {
            _array.AsSpan(_start, _end - _start).CopyTo(_array);
            _end -= _start;
            _start = 0;
        }
        else
        {
            Grow();
        }
    }

    private void Grow()
    {
        byte[] larger = GC.AllocateUninitializedArray<byte>(_array.Length * 2);
        _array.AsSpan(_start, _end - _start).CopyTo(larger);
        _end -= _start;
        _start = 0;
        _array = larger;
    }
}
