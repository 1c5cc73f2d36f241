namespace Larder.Wire;

/// <summary>
/// A growable, reusable buffer over pooled memory. It has one owner at a time. If the buffer belongs to an account, a block larger than
/// <see cref="UncountedBytes"/> is counted in that account.
/// </summary>
internal sealed class PooledBuffer : IGatheringWriter, IDisposable
{
    /// <summary>
    /// The maximum size, in bytes, of a block that is not counted separately. The fixed size that is counted for a stream includes such a block.
    /// </summary>
    public const int UncountedBytes = 1024;

    private const int Megabyte = 1024 * 1024;

    private BufferAccount? _account;
    private ArraySegment<byte> _block;
    private int _heldBytes;

    public PooledBuffer(int capacity, BufferAccount? account = null)
    {
        _block = LargeBlocks.Rent(capacity);
        _account = account;
    }

    /// <summary>Gets the number of bytes written.</summary>
    public int Written { get; private set; }

    public int Position => Written;

    public ReadOnlyMemory<byte> WrittenMemory => _block.AsMemory(0, Written);

    public Span<byte> WrittenSpan => _block.AsSpan(0, Written);

    /// <summary>Returns the unused memory after the written bytes, which is at least <paramref name="sizeHint"/> bytes long.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: the account's limit is reached, or there is not enough memory. The buffer is unchanged.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _block.AsMemory(Written);
    }

    /// <inheritdoc cref="GetMemory"/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _block.AsSpan(Written);
    }

    public Span<byte> At(int position, int count) => _block.AsSpan(0, Written).Slice(position, count);

    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _block.Count - Written);
        Written += count;
    }

    /// <summary>Removes the first <paramref name="count"/> bytes and moves the remaining bytes to the front.</summary>
    public void RemoveFirst(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Written);
        _block.AsSpan(count, Written - count).CopyTo(_block);
        Written -= count;
    }

    /// <summary>Keeps the first <paramref name="count"/> written bytes and removes the bytes after them.</summary>
    public void Truncate(int count) => Written = Math.Min(Written, count);

    /// <summary>Removes all written bytes. If the block is larger than <paramref name="keepBytes"/>, it is replaced by a smaller one.</summary>
    public void Reset(int keepBytes)
    {
        Written = 0;
        if (_block.Count > keepBytes)
        {
            LargeBlocks.Return(_block);
            _block = LargeBlocks.Rent(keepBytes);
            HoldLess();
        }
    }

    /// <summary>Returns the unused end of a large block to the pool if that is possible without copying.</summary>
    public void ShrinkToFit()
    {
        LargeBlocks.Shorten(ref _block, Written);
        HoldLess();
    }

    /// <summary>Returns the block to the pool, and detaches the buffer from its account. Bytes that are written afterwards are not counted.</summary>
    public void Abandon()
    {
        Dispose();
        _account = null;
    }

    public void Dispose()
    {
        LargeBlocks.Return(_block);
        _block = ArraySegment<byte>.Empty;
        Written = 0;
        HoldLess();
    }

    private void Reserve(int sizeHint)
    {
        int wanted = Math.Max(sizeHint, 1);
        if (_block.Count - Written < wanted)
        {
            Grow(wanted);
        }
    }

    // The size of the block doubles up to 1 MB. Above 1 MB, it grows by half, so that a large message seldom wastes more than half of its size.
    private void Grow(int wanted)
    {
        int more = _block.Count < Megabyte ? _block.Count : _block.Count / 2;
        int length = LargeBlocks.LengthFor(Math.Max(checked(Written + wanted), Math.Min(_block.Count + more, Array.MaxLength - Megabyte)));
        if (_account is not null && length > UncountedBytes)
        {
            _account.Hold(length - _heldBytes);
            _heldBytes = length;
        }

        if (LargeBlocks.TryLengthen(ref _block, length))
        {
            return;
        }

        ArraySegment<byte> larger = RentOrRefuse(length);
        WrittenSpan.CopyTo(larger);
        LargeBlocks.Return(_block);
        _block = larger;
    }

    private ArraySegment<byte> RentOrRefuse(int length)
    {
        try
        {
            return LargeBlocks.Rent(length);
        }
        catch (OutOfMemoryException)
        {
            // The system is out of memory. Only this call fails, not the process.
            HoldLess();
            throw BufferAccount.Exhausted();
        }
    }

    private void HoldLess()
    {
        int held = _block.Count > UncountedBytes ? _block.Count : 0;
        if (_heldBytes > held)
        {
            _account?.Release(_heldBytes - held);
            _heldBytes = held;
        }
    }
}
