namespace Larder.Server.Security;

/// <summary>
/// A set of key prefixes and whole keys to which a grant applies. No prefix starts with another prefix of the set. Therefore, in sorted order, only the last
/// prefix that is not greater than a key can match the key. A lookup among a million prefixes takes about 20 comparisons.
/// </summary>
internal sealed class PrefixSet
{
    public static readonly PrefixSet Empty = new([]);

    private static readonly Comparer<byte[]> ByBytes = Comparer<byte[]>.Create(static (left, right) => left.AsSpan().SequenceCompareTo(right));

    private readonly byte[][] _prefixes;
    private readonly byte[][] _keys;

    /// <param name="prefixes">The key prefixes.</param>
    /// <param name="keys">Whole keys in addition to the prefixes.</param>
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

    public bool IsEmpty => _prefixes.Length == 0 && _keys.Length == 0;

    /// <summary>Returns whether a key starts with one of the prefixes or equals one of the keys.</summary>
    public bool Covers(ReadOnlySpan<byte> key)
    {
        int place = FirstAbove(_prefixes, key);
        return (place > 0 && key.StartsWith(_prefixes[place - 1])) || IsKey(key);
    }

    /// <summary>Returns whether the set contains every key with the given prefix.</summary>
    public bool CoversAll(ReadOnlySpan<byte> beginning)
    {
        int place = FirstAbove(_prefixes, beginning);
        return place > 0 && beginning.StartsWith(_prefixes[place - 1]);
    }

    /// <summary>Returns the prefixes and keys that start with the given bytes.</summary>
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
