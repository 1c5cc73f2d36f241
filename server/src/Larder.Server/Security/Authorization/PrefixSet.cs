namespace Larder.Server.Security;

/// <summary>
/// The beginnings of the keys that a grant holds for. None of them begins with another, so that in their order the last one that is not above a key is the
/// only one that the key can begin with: a look-up takes some twenty comparisons where there are a million.
/// </summary>
internal sealed class PrefixSet
{
    public static readonly PrefixSet Empty = new([]);

    private static readonly Comparer<byte[]> ByBytes = Comparer<byte[]>.Create(static (left, right) => left.AsSpan().SequenceCompareTo(right));

    private readonly byte[][] _prefixes;
    private readonly byte[][] _keys;

    /// <param name="prefixes">The beginnings.</param>
    /// <param name="keys">Whole keys beside them.</param>
    public PrefixSet(IEnumerable<byte[]> prefixes, IEnumerable<byte[]>? keys = null)
    {
        _keys = [.. (keys ?? []).Order(ByBytes)];
        List<byte[]> kept = [];
        foreach (byte[] each in prefixes.Order(ByBytes))
        {
            if (kept.Count == 0 || !each.AsSpan().StartsWith(kept[^1]))
            {
                kept.Add(each);
            }
        }

        _prefixes = [.. kept];
    }

    /// <summary>Whether there is none.</summary>
    public bool IsEmpty => _prefixes.Length == 0 && _keys.Length == 0;

    /// <summary>Whether a key begins with one of them, or is one of the keys.</summary>
    public bool Covers(ReadOnlySpan<byte> key)
    {
        int place = FirstAbove(_prefixes, key);
        return (place > 0 && key.StartsWith(_prefixes[place - 1])) || IsKey(key);
    }

    /// <summary>Whether every key that begins so is covered.</summary>
    public bool CoversAll(ReadOnlySpan<byte> beginning)
    {
        int place = FirstAbove(_prefixes, beginning);
        return place > 0 && beginning.StartsWith(_prefixes[place - 1]);
    }

    /// <summary>Those of them that begin so, keys too.</summary>
    public IEnumerable<byte[]> StartingWith(ReadOnlyMemory<byte> beginning) =>
        _prefixes.Concat(_keys).Where(each => each.AsSpan().StartsWith(beginning.Span));

    private bool IsKey(ReadOnlySpan<byte> key)
    {
        int place = FirstAbove(_keys, key);
        return place > 0 && key.SequenceEqual(_keys[place - 1]);
    }

    private static int FirstAbove(byte[][] sorted, ReadOnlySpan<byte> key)
    {
        int low = 0;
        int high = sorted.Length;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (key.SequenceCompareTo(sorted[middle]) < 0)
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
