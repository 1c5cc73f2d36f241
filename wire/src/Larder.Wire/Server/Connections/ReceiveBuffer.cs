namespace Larder.Wire;

/// <summary>
/// What has arrived on a connection and is not yet parsed, in one piece. It begins small, so that idle connections are cheap, doubles up to
/// <see cref="MaxBytes"/> while receives fill it, and is small again after a while of silence.
/// </summary>
/// <param name="account">What it holds beyond <see cref="LeastBytes"/>.</param>
internal sealed class ReceiveBuffer(BufferAccount account) : IDisposable
{
    // The largest frame with its header is 16,393 bytes; more at once saves receives: 128 KB hold about a thousand small calls.
    public const int MaxBytes = 128 * 1024;

    /// <summary>What a connection may always have: a frame of the largest size fits.</summary>
    public const int LeastBytes = 32 * 1024;

    private const int FirstBytes = 4 * 1024;

    private ArraySegment<byte> _block = LargeBlocks.Rent(FirstBytes);
    private int _start;
    private int _end;
    private int _heldBytes;
    private bool _shrinks;

    public ReadOnlySpan<byte> Unread => _block.AsSpan(_start, _end - _start);

    /// <summary>Where the next receive goes: at least one byte.</summary>
    public Memory<byte> Room()
    {
        if (_start == _end)
        {
            _start = 0;
            _end = 0;
        }

        if (_end == _block.Count)
        {
            MakeRoom();
        }

        return _block.AsMemory(_end);
    }

    /// <summary>Notes that <paramref name="count"/> bytes were received; a receive that filled the room makes the next one's larger.</summary>
    public void Received(int count)
    {
        _end += count;
        if (_end == _block.Count && _block.Count < MaxBytes)
        {
            TryGrow();
        }
        else if (Volatile.Read(ref _shrinks))
        {
            Shrink();
        }
    }

    public void Consume(int count) => _start += count;

    /// <summary>
    /// The connection has been silent: the next receive, which may be no more than the answer to a ping, makes the buffer small. From any thread.
    /// </summary>
    public void ShrinkSoon() => Volatile.Write(ref _shrinks, true);

    /// <summary>Gives the memory back. No receive may be under way.</summary>
    public void Dispose()
    {
        HoldOnly(0);
        ArraySegment<byte> block = _block;
        (_block, _start, _end) = (ArraySegment<byte>.Empty, 0, 0);
        if (block.Count > 0)
        {
            LargeBlocks.Return(block);
        }
    }

    private void Shrink()
    {
        Volatile.Write(ref _shrinks, false);
        if (_block.Count > FirstBytes && _end - _start <= FirstBytes / 2)
        {
            MoveTo(FirstBytes);
            HoldOnly(0);
        }
    }

    private void MakeRoom()
    {
        if (_start > 0)
        {
            _block.AsSpan(_start, _end - _start).CopyTo(_block);
            _end -= _start;
            _start = 0;
        }
        else
        {
            // Only below the least: above it a frame fits, and what is whole was consumed.
            TryGrow();
        }
    }

    private void TryGrow()
    {
        int length = _block.Count * 2;
        if (length > LeastBytes)
        {
            if (!account.TryHold(length - _heldBytes))
            {
                return;
            }

            _heldBytes = length;
        }

        MoveTo(length);
    }

    private void MoveTo(int bytes)
    {
        ArraySegment<byte> block = LargeBlocks.Rent(bytes);
        _block.AsSpan(_start, _end - _start).CopyTo(block);
        _end -= _start;
        _start = 0;
        LargeBlocks.Return(_block);
        _block = block;
    }

    private void HoldOnly(int bytes)
    {
        account.Release(_heldBytes - bytes);
        _heldBytes = bytes;
    }
}
