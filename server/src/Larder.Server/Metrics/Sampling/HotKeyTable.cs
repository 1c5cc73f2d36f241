namespace Larder.Server.Metrics;

/// <summary>
/// Counts the most frequent keys with the Space-Saving algorithm (Metwally, Agrawal, El Abbadi, 2005). A key without a slot replaces the least frequent key and
/// inherits its count. Therefore a key that occurs in more than one of <c>slots</c> calls always has a slot, and counts are never underestimated. Does not
/// allocate.
/// </summary>
internal sealed class HotKeyTable : ISampleTable
{
    private readonly SampledKey[] _keys;
    private readonly int[] _hashes;
    private readonly long[] _counts;
    private int _used;

    /// <param name="slots">The number of keys that the table stores.</param>
    public HotKeyTable(int slots)
    {
        _keys = [.. Enumerable.Range(0, slots).Select(_ => new SampledKey())];
        _hashes = new int[slots];
        _counts = new long[slots];
    }

    /// <summary>Gets the total weight of all calls that were added.</summary>
    public long Total { get; private set; }

    public void Add(string cache, ReadOnlySpan<byte> key, int weight)
    {
        Total += weight;
        int hash = SampledKey.HashOf(cache, key);
        int slot = Find(hash, cache, key);
        if (slot < 0)
        {
            slot = _used < _keys.Length ? _used++ : Array.IndexOf(_counts, _counts.Min());
            _hashes[slot] = hash;
            _keys[slot].Set(cache, key);
        }

        _counts[slot] += weight;
    }

    public void Clear()
    {
        Total = 0;
        _used = 0;
        Array.Clear(_counts);
    }

    /// <summary>Returns the keys of two tables with their summed counts, most frequent first.</summary>
    public static IReadOnlyList<HotKey> Merge((HotKeyTable Present, HotKeyTable Before) tables, TimeSpan span, int most)
    {
        Dictionary<(string, string, int), HotKey> sum = [];
        double total = Math.Max(tables.Present.Total + tables.Before.Total, 1);
        double seconds = Math.Max(span.TotalSeconds, 1);
        foreach (HotKeyTable table in (HotKeyTable[])[tables.Present, tables.Before])
        {
            for (int slot = 0; slot < table._used; slot++)
            {
                SampledKey key = table._keys[slot];
                (string, string, int) name = (key.Cache, Convert.ToHexString(key.Bytes), key.Length);
                double count = table._counts[slot];
                HotKey before = sum.GetValueOrDefault(name) ?? new HotKey(key.Cache, key.Bytes.ToArray(), key.Length, 0, 0);
                sum[name] = before with { Share = before.Share + (count / total), CallsPerSecond = before.CallsPerSecond + (count / seconds) };
            }
        }

        return [.. sum.Values.OrderByDescending(key => key.Share).Take(most)];
    }

    private int Find(int hash, string cache, ReadOnlySpan<byte> key)
    {
        int from = 0;
        while (_hashes.AsSpan(from, _used - from).IndexOf(hash) is >= 0 and int at)
        {
            if (_keys[from + at].Is(cache, key))
            {
                return from + at;
            }

            from += at + 1;
        }

        return -1;
    }
}
