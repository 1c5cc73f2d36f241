using System.Runtime.InteropServices;

namespace Larder.Near.Tests.Exploring;

/// <summary>An ordered list of at most eight values, stored inline. The unused slots are all zero, so that equal lists have equal bytes.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct UpToEight<T>
    where T : unmanaged
{
    private byte _count;
    private Eight<T> _items;

    public readonly int Count => _count;

    public T this[int index]
    {
        readonly get => _items[index];
        set => _items[index] = value;
    }

    /// <summary>Appends a value. Returns false if the list is already full.</summary>
    public bool TryAdd(T item)
    {
        if (_count == 8)
        {
            return false;
        }

        _items[_count++] = item;
        return true;
    }

    /// <summary>Removes a value and moves the later values one position forward.</summary>
    public T RemoveAt(int index)
    {
        T item = _items[index];
        for (int i = index; i < _count - 1; i++)
        {
            _items[i] = _items[i + 1];
        }

        _items[--_count] = default;
        return item;
    }
}
