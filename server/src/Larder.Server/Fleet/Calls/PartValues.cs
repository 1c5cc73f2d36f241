using System.Buffers;

namespace Larder.Server.Fleet;

/// <summary>Stores the values of a get-batch in one pooled array, in the order in which they arrive, and finds each value by the index of its item.</summary>
internal sealed class PartValues
{
    private const int NotTaken = -2;
    private const int Missing = -1;

    private readonly List<(int Start, int Length)> _places = [];
    private byte[] _array = ArrayPool<byte>.Shared.Rent(1024);
    private int _written;

    /// <summary>Gets the highest index with a stored result, plus one.</summary>
    public int Count => _places.Count;

    public void Add(int place, ReadOnlySpan<byte> value)
    {
        if (_array.Length - _written < value.Length)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(2 * _array.Length, _written + value.Length));
            _array.AsSpan(0, _written).CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_array);
            _array = larger;
        }

        value.CopyTo(_array.AsSpan(_written));
        Put(place, (_written, value.Length));
        _written += value.Length;
    }

    public void AddMissing(int place) => Put(place, (0, Missing));

    /// <summary>Returns whether a result is stored at the given index.</summary>
    public bool Has(int place) => place < _places.Count && _places[place].Length != NotTaken;

    /// <summary>Gets the value at an index that has a stored result. Returns false if the item is missing.</summary>
    public bool TryGet(int place, out ReadOnlySpan<byte> value)
    {
        (int start, int length) = _places[place];
        value = length == Missing ? default : _array.AsSpan(start, length);
        return length != Missing;
    }

    /// <summary>Returns the array to the pool. This object must not be used afterwards.</summary>
    public void LetGo()
    {
        ArrayPool<byte>.Shared.Return(_array);
        _array = [];
        _places.Clear();
    }

    private void Put(int place, (int Start, int Length) value)
    {
        while (_places.Count <= place)
        {
            _places.Add((0, NotTaken));
        }

        _places[place] = value;
    }
}
