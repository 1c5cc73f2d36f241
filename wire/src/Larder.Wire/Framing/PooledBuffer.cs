using System.Buffers;

namespace Larder.Wire;

/// <summary>A growing buffer over arrays of the shared pool, used again and again by one owner at a time.</summary>
internal sealed class PooledBuffer : IGatheringWriter, IDisposable
{
    private byte[] _array;

    public PooledBuffer(int capacity) => _array = ArrayPool<byte>.Shared.Rent(capacity);

    /// <summary>Bytes written.</summary>
    public int Written { get; private set; }

    public int Position => Written;

    public ReadOnlyMemory<byte> WrittenMemory => _array.AsMemory(0, Written);

    public Span<byte> WrittenSpan => _array.AsSpan(0, Written);

    /// <summary>The room behind what is written, at least <paramref name="sizeHint"/> bytes.</summary>
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
            ArrayPool<byte>.Shared.Return(_array);
            _array = ArrayPool<byte>.Shared.Rent(keepBytes);
        }
    }

    public void Dispose()
    {
        byte[] array = _array;
        _array = [];
        Written = 0;
        if (array.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(array);
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

    private void Grow(int wanted)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(checked(Written + wanted), Math.Min(_array.Length * 2, Array.MaxLength / 2)));
        _array.AsSpan(0, Written).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_array);
        _array = larger;
    }
}
