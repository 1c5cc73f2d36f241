namespace Larder.Wire;

/// <summary>
/// A growing buffer over pooled memory, used again and again by one owner at a time. Where it belongs to an account, what is larger than
/// <see cref="UncountedBytes"/> is held there.
/// </summary>
internal sealed class PooledBuffer : IGatheringWriter, IDisposable
{
    /// <summary>A block of up to this many bytes is not counted: it is part of what its stream is counted for.</summary>
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

    /// <summary>Bytes written.</summary>
    public int Written { get; private set; }

    public int Position => Written;

    public ReadOnlyMemory<byte> WrittenMemory => _block.AsMemory(0, Written);

    public Span<byte> WrittenSpan => _block.AsSpan(0, Written);

    /// <summary>The room behind what is written, at least <paramref name="sizeHint"/> bytes.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: the account may hold no more, or there is no memory. The buffer is as it was.</exception>
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

    /// <summary>Forgets the first <paramref name="count"/> bytes; the rest moves to the front.</summary>
    public void RemoveFirst(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Written);
        _block.AsSpan(count, Written - count).CopyTo(_block);
        Written -= count;
    }

    /// <summary>Keeps the first <paramref name="count"/> bytes of what is written.</summary>
    public void Truncate(int count) => Written = Math.Min(Written, count);

    /// <summary>Forgets what is written; a block above <paramref name="keepBytes"/> goes back to the pool for a smaller one.</summary>
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

    /// <summary>Gives back what a large block has behind what is written, where it can be without a copy.</summary>
    public void ShrinkToFit()
    {
        LargeBlocks.Shorten(ref _block, Written);
        HoldLess();
    }

    /// <summary>Gives the block back for good. What is still written is held by no account.</summary>
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

    // Doubling, and by half once that is megabytes: what a large message takes is then seldom more than half too much.
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
            // The system's memory is spent: one call less, not the process.
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
