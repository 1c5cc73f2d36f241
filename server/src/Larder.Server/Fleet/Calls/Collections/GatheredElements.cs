namespace Larder.Server.Fleet;

/// <summary>
/// A set of distinct elements read from a set or a dictionary. Removes duplicates, because a Redis scan may return an element twice. The memory of the elements
/// counts towards <see cref="UnionMemory"/>.
/// </summary>
internal sealed class GatheredElements
{
    // An estimate of the memory overhead per element, for the array and the hash entry.
    private const int OverheadBytesPerElement = 128;

    private readonly HashSet<ReadOnlyMemory<byte>> _names = new(BytesComparer.Instance);
    private long _taken;

    /// <summary>Gets the elements.</summary>
    public IReadOnlyCollection<ReadOnlyMemory<byte>> All => _names;

    /// <summary>Gets the number of elements.</summary>
    public int Count => _names.Count;

    /// <summary>Gets whether an element was rejected because there was not enough memory.</summary>
    public bool IsFull { get; private set; }

    /// <summary>Adds a copy of an element. Returns false if the element is already present or if there is not enough memory for it.</summary>
    public bool TryAdd(ReadOnlySpan<byte> name)
    {
        if (IsFull || _taken + name.Length > FleetLimits.MaxUnionBytes || !UnionMemory.TryTake(name.Length + OverheadBytesPerElement))
        {
            IsFull = true;
            return false;
        }

        if (!_names.Add(name.ToArray()))
        {
            UnionMemory.GiveBack(name.Length + OverheadBytesPerElement);
            return false;
        }

        _taken += name.Length + OverheadBytesPerElement;
        return true;
    }

    /// <summary>Removes all elements and releases their memory.</summary>
    public void LetGo()
    {
        _names.Clear();
        UnionMemory.GiveBack(_taken);
        _taken = 0;
    }
}
