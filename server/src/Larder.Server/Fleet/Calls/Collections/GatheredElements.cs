namespace Larder.Server.Fleet;

/// <summary>
/// Elements that were read of a set or a dictionary, each once: the engine's scans may answer one twice. Their memory is counted by <see cref="UnionMemory"/>.
/// </summary>
internal sealed class GatheredElements
{
    // An element's array and its entries.
    private const int BytesBeside = 128;

    private readonly HashSet<ReadOnlyMemory<byte>> _names = new(BytesComparer.Instance);
    private long _taken;

    /// <summary>All of them.</summary>
    public IReadOnlyCollection<ReadOnlyMemory<byte>> All => _names;

    /// <summary>How many.</summary>
    public int Count => _names.Count;

    /// <summary>Whether there was no memory for one.</summary>
    public bool IsFull { get; private set; }

    /// <summary>Adds one; copied. False where it is there already, or there is no memory for it.</summary>
    public bool TryAdd(ReadOnlySpan<byte> name)
    {
        if (IsFull || _taken + name.Length > FleetLimits.MostUnionBytes || !UnionMemory.TryTake(name.Length + BytesBeside))
        {
            IsFull = true;
            return false;
        }

        if (!_names.Add(name.ToArray()))
        {
            UnionMemory.GiveBack(name.Length + BytesBeside);
            return false;
        }

        _taken += name.Length + BytesBeside;
        return true;
    }

    /// <summary>Forgets all.</summary>
    public void LetGo()
    {
        _names.Clear();
        UnionMemory.GiveBack(_taken);
        _taken = 0;
    }
}
