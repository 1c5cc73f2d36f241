namespace Larder.Server.Security;

/// <summary>
/// The beginnings of the keys that a grant holds for. None of them begins with another, so that in their order the last one that is not above a key is the
/// only one that the key can begin with: a look-up takes some twenty comparisons where there are a million.
/// </summary>
internal sealed class PrefixSet
{
    public static readonly PrefixSet Empty = new([]);

    private readonly byte[][] _prefixes;

    public PrefixSet(IEnumerable<byte[]> prefixes)
    {
        List<byte[]> kept = [];
        foreach (byte[] each in prefixes.Order(Comparer<byte[]>.Create(static (left, right) => left.AsSpan().SequenceCompareTo(right))))
        {
            if (kept.Count == 0 || !each.AsSpan().StartsWith(kept[^1]))
            {
                kept.Add(each);
            }
        }

        _prefixes = [.. kept];
    }

    /// <summary>Whether there is none.</summary>
    public bool IsEmpty => _prefixes.Length == 0;

    /// <summary>Whether a key begins with one of them.</summary>
    public bool Covers(ReadOnlySpan<byte> key)
    {
        int place = FirstAbove(key);
        return place > 0 && key.StartsWith(_prefixes[place - 1]);
    }

    /// <summary>Those of them that begin so.</summary>
    public IEnumerable<byte[]> StartingWith(ReadOnlyMemory<byte> beginning) => _prefixes.Where(each => each.AsSpan().StartsWith(beginning.Span));

    private int FirstAbove(ReadOnlySpan<byte> key)
    {
        int low = 0;
        int high = _prefixes.Length;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (key.SequenceCompareTo(_prefixes[middle]) < 0)
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }

        return low;
    }
}
