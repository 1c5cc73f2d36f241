using System.Buffers;

namespace Larder.Server.Fleet;

/// <summary>The values of a get-batch's parts, by their places, as they come in: in one pooled array.</summary>
internal sealed class PartValues
{
    private const int NotTaken = -2;
    private const int Missing = -1;

    private readonly List<(int Start, int Length)> _places = [];
    private byte[] _array = ArrayPool<byte>.Shared.Rent(1024);
    private int _written;

    /// <summary>Places up to the last that was taken.</summary>
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

    /// <summary>Whether there is an answer at this place.</summary>
    public bool Has(int place) => place < _places.Count && _places[place].Length != NotTaken;

    /// <summary>The value at a place that has an answer; false where the item is missing.</summary>
    public bool TryGet(int place, out ReadOnlySpan<byte> value)
    {
        (int start, int length) = _places[place];
        value = length == Missing ? default : _array.AsSpan(start, length);
        return length != Missing;
    }

    /// <summary>Gives the array back; nothing may be read any more.</summary>
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
