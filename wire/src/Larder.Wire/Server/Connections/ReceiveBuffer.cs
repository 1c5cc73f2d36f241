namespace Larder.Wire;

/// <summary>
/// A contiguous buffer for bytes that have arrived on a connection and are not yet parsed. The buffer starts small, so that idle connections use little memory.
/// It doubles up to <see cref="MaxBytes"/> while receives fill it. After a period of silence, it becomes small again.
/// </summary>
/// <param name="account">The account from which bytes above <see cref="MinBytes"/> are taken.</param>
internal sealed class ReceiveBuffer(BufferAccount account) : IDisposable
{
    // The largest frame with its header has 16,393 bytes. A larger buffer needs fewer receives. 128 KB contain about a thousand small calls.
    public const int MaxBytes = 128 * 1024;

    /// <summary>The size that every connection may use without taking memory from the budget. A frame of maximum size fits into it.</summary>
    public const int MinBytes = 32 * 1024;

    private const int FirstBytes = 4 * 1024;

    private ArraySegment<byte> _block = LargeBlocks.Rent(FirstBytes);
    private int _start;
    private int _end;
    private int _heldBytes;
    private bool _shrinks;

    public ReadOnlySpan<byte> Unread => _block.AsSpan(_start, _end - _start);

    /// <summary>Returns the free memory for the next receive: at least one byte.</summary>
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

    /// <summary>Records that <paramref name="count"/> bytes were received. If the bytes filled the buffer, it grows for the next receive.</summary>
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
    /// Requests that the buffer shrinks after the next receive, because the connection has been silent. The buffer shrinks only if that receive is small, for
    /// example the reply to a ping. This method can be called on any thread.
    /// </summary>
    public void ShrinkSoon() => Volatile.Write(ref _shrinks, true);

    /// <summary>Releases the memory. No receive may be pending.</summary>
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
            // This line is only reached if the buffer is smaller than the minimum size. In a larger buffer an incomplete frame fits, because complete frames
            // have been consumed.
            TryGrow();
        }
    }

    private void TryGrow()
    {
        int length = _block.Count * 2;
        if (length > MinBytes)
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
