namespace Larder.Server.Metrics;

/// <summary>The slowest calls, at most one per key. A call that is not among the slowest causes no allocation.</summary>
internal sealed class SlowKeyTable : ISampleTable
{
    private readonly SampledKey[] _keys;
    private readonly string[] _calls;
    private readonly TimeSpan[] _took;
    private int _used;

    /// <param name="slots">The number of keys that the table stores.</param>
    public SlowKeyTable(int slots)
    {
        _keys = [.. Enumerable.Range(0, slots).Select(_ => new SampledKey())];
        _calls = new string[slots];
        _took = new TimeSpan[slots];
    }

    public void Add(string cache, string call, ReadOnlySpan<byte> key, TimeSpan took)
    {
        int shortest = 0;
        for (int slot = 1; slot < _used; slot++)
        {
            shortest = _took[slot] < _took[shortest] ? slot : shortest;
        }

        bool isFull = _used == _keys.Length;
        if (isFull && took <= _took[shortest])
        {
            return;
        }

        int place = Find(cache, key);
        if (place < 0)
        {
            place = isFull ? shortest : _used++;
            _keys[place].Set(cache, key);
            _took[place] = TimeSpan.Zero;
        }

        if (took >= _took[place])
        {
            _took[place] = took;
            _calls[place] = call;
        }
    }

    public void Clear() => _used = 0;

    /// <summary>Returns the slowest call of each key in both tables, slowest first.</summary>
    public static IReadOnlyList<SlowKey> Merge((SlowKeyTable Present, SlowKeyTable Before) tables, int most)
    {
        IEnumerable<SlowKey> all = tables.Present.All().Concat(tables.Before.All());
        return
        [
            .. all.OrderByDescending(key => key.TookUs)
                .DistinctBy(key => (key.Cache, Convert.ToHexString(key.Key), key.KeyBytes))
                .Take(most),
        ];
    }

    private int Find(string cache, ReadOnlySpan<byte> key)
    {
        for (int slot = 0; slot < _used; slot++)
        {
            if (_keys[slot].Is(cache, key))
            {
                return slot;
            }
        }

        return -1;
    }

    private IEnumerable<SlowKey> All() =>
        Enumerable.Range(0, _used)
            .Select(slot => new SlowKey(_keys[slot].Cache, _keys[slot].Bytes.ToArray(), _keys[slot].Length, _calls[slot], _took[slot].TotalMicroseconds));
}
