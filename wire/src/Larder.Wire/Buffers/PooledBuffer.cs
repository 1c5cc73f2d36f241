namespace Larder.Wire;

/// <summary>
/// A growing buffer over pooled arrays, used again and again by one owner at a time. Where it belongs to an account, what is larger than
/// <see cref="UncountedBytes"/> is held there.
/// </summary>
internal sealed class PooledBuffer : IGatheringWriter, IDisposable
{
    /// <summary>An array of up to this many bytes is not counted: it is part of what its stream is counted for.</summary>
    public const int UncountedBytes = 1024;

    private const int Megabyte = 1024 * 1024;

    private BufferAccount? _account;
    private byte[] _array;
    private int _heldBytes;

    public PooledBuffer(int capacity, BufferAccount? account = null)
    {
        _array = LargeArrays.Rent(capacity);
        _account = account;
    }

    /// <summary>Bytes written.</summary>
    public int Written { get; private set; }

    public int Position => Written;

    public ReadOnlyMemory<byte> WrittenMemory => _array.AsMemory(0, Written);

    public Span<byte> WrittenSpan => _array.AsSpan(0, Written);

    /// <summary>The room behind what is written, at least <paramref name="sizeHint"/> bytes.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: the account may hold no more, or there is no memory. The buffer is as it was.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _array.AsMemory(Written);
    }

    /// <inheritdoc cref="GetMemory"/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _array.AsSpan(Written);
    }

    public Span<byte> At(int position, int count) => _array.AsSpan(0, Written).Slice(position, count);

    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _array.Length - Written);
        Written += count;
    }

    /// <summary>Forgets the first <paramref name="count"/> bytes; the rest moves to the front.</summary>
    public void RemoveFirst(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Written);
        _array.AsSpan(count, Written - count).CopyTo(_array);
        Written -= count;
    }

    /// <summary>Keeps the first <paramref name="count"/> bytes of what is written.</summary>
    public void Truncate(int count) => Written = Math.Min(Written, count);

    /// <summary>Forgets what is written; an array above <paramref name="keepBytes"/> goes back to the pool for a smaller one.</summary>
    public void Reset(int keepBytes)
    {
        Written = 0;
        if (_array.Length > keepBytes)
        {
            LargeArrays.Return(_array);
            _array = LargeArrays.Rent(keepBytes);
            HoldLess();
        }
    }

    /// <summary>
    /// Forgets what is written and the array with it, which goes to the collector: somebody may still look at it. It is held by no account any more.
    /// </summary>
    public void Abandon()
    {
        _account?.Release(_heldBytes);
        _account = null;
        IdleMemory.Dropped(_array.Length);
        _array = [];
        _heldBytes = 0;
        Written = 0;
    }

    public void Dispose()
    {
        byte[] array = _array;
        _array = [];
        Written = 0;
        HoldLess();
        if (array.Length > 0)
        {
            LargeArrays.Return(array);
        }
    }

    private void Reserve(int sizeHint)
    {
        int wanted = Math.Max(sizeHint, 1);
        if (_array.Length - Written < wanted)
        {
            Grow(wanted);
        }
    }

    // Doubling, and by half once that is megabytes: what a large message takes is then seldom more than half too much.
    private void Grow(int wanted)
    {
        int more = _array.Length < Megabyte ? _array.Length : _array.Length / 2;
        int length = LargeArrays.LengthFor(Math.Max(checked(Written + wanted), Math.Min(_array.Length + more, Array.MaxLength - Megabyte)));
        if (_account is not null && length > UncountedBytes)
        {
            _account.Hold(length - _heldBytes);
            _heldBytes = length;
        }

        byte[] larger = RentOrRefuse(length);
        _array.AsSpan(0, Written).CopyTo(larger);
        LargeArrays.Return(_array);
        _array = larger;
    }

    private byte[] RentOrRefuse(int length)
    {
        try
        {
            return LargeArrays.Rent(length);
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
        int held = _array.Length > UncountedBytes ? _array.Length : 0;
        if (_heldBytes > held)
        {
            _account?.Release(_heldBytes - held);
            _heldBytes = held;
        }
    }
}
