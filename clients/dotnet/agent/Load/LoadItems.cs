namespace Larder.Agent;

/// <summary>
/// The keys and values of a workload, created before the measurement. Value i begins with key i. If the value is shorter than the key, it contains only the
/// beginning of the key.
/// </summary>
internal sealed class LoadItems
{
    private readonly byte[][] _keys;
    private readonly byte[][] _values;
    private readonly byte[][] _absentKeys;
    private readonly byte[][] _collections;

    /// <summary>Creates every key and value of a workload, or reads its trace.</summary>
    /// <exception cref="AgentException">The trace cannot be read.</exception>
    public LoadItems(LoadWorkload workload)
    {
        Workload = workload;
        Trace = workload.Trace is { } path ? LoadTrace.Read(path, workload.TtlMs) : null;
        Chooser = new LoadKeyChooser(workload.Keys, workload.Zipf);
        int keys = Trace is null ? workload.Keys : 0;
        _keys = Make(keys, LoadWorkload.KeyOf);
        _values = Make(keys, i => ValueOf(_keys[i], workload.SizeOf(i)));
        _collections = workload.Calls == LoadCalls.Items
            ? []
            : Make((keys + LoadCollection.Elements - 1) / LoadCollection.Elements, i => LoadCollection.Of(_keys[i * LoadCollection.Elements]));
        _absentKeys = workload.MissRatio > 0 ? Make(keys, i => LoadWorkload.KeyOf(i + workload.Keys)) : [];
    }

    /// <summary>Gets the recorded calls to replay, or null if calls are chosen at random.</summary>
    public LoadTrace? Trace { get; }

    /// <summary>Gets the items that are set before the warm-up.</summary>
    public IEnumerable<(byte[] Key, byte[] Value, TimeSpan Ttl)> Preloaded => Trace is { } trace
        ? trace.Keys.Select(call => (call.Key, call.Value, call.Ttl))
        : Enumerable.Range(0, _keys.Length).Select(i => (_keys[i], _values[i], Workload.TtlOf(i)));

    /// <summary>Gets the workload of these items.</summary>
    public LoadWorkload Workload { get; }

    /// <summary>Gets the object that chooses random keys according to their popularity.</summary>
    public LoadKeyChooser Chooser { get; }

    /// <summary>Returns true if another workload can use these items. This is the case if the workloads differ only in how the items are requested.</summary>
    public bool Serves(LoadWorkload other) => other == Workload with
    {
        Preload = other.Preload,
        ReadRatio = other.ReadRatio,
        ValueBytesMix = Same(Workload.ValueBytesMix, other.ValueBytesMix),
        TtlMsMix = Same(Workload.TtlMsMix, other.TtlMsMix),
    };

    /// <summary>Returns the bytes of key <paramref name="index"/>.</summary>
    public byte[] Key(int index) => _keys[index];

    /// <summary>Returns the value of key <paramref name="index"/>.</summary>
    public byte[] Value(int index) => _values[index];

    /// <summary>Returns the key of the collection that contains key <paramref name="index"/>, or an empty array if the calls are on items.</summary>
    public byte[] Collection(int index) => _collections.Length == 0 ? [] : _collections[index / LoadCollection.Elements];

    /// <summary>Returns a key that is never set.</summary>
    public byte[] AbsentKey(int index) => _absentKeys[index];

    /// <summary>Returns whether the value and the key are equal up to the end of the shorter one. True for a value that was set for the key.</summary>
    public static bool Belongs(ReadOnlySpan<byte> value, ReadOnlySpan<byte> key)
    {
        int length = Math.Min(value.Length, key.Length);
        return value[..length].SequenceEqual(key[..length]);
    }

    /// <summary>
    /// Returns <paramref name="other"/> if both mixes have equal content, otherwise <paramref name="mix"/>. This is needed to compare workloads, because a
    /// record compares arrays by reference.
    /// </summary>
    private static double[][]? Same(double[][]? mix, double[][]? other) =>
        mix is not null && other is not null && mix.Length == other.Length && mix.Zip(other, (one, two) => one.AsSpan().SequenceEqual(two)).All(same => same)
            ? other
            : mix;

    private static byte[][] Make(int count, Func<int, byte[]> make)
    {
        byte[][] made = new byte[count][];
        for (int i = 0; i < count; i++)
        {
            made[i] = make(i);
        }

        return made;
    }

    /// <summary>Creates a value of the given length that begins with its key.</summary>
    public static byte[] ValueOf(byte[] key, int length)
    {
        byte[] value = new byte[length];
        value.AsSpan().Fill((byte)'v');
        key.AsSpan(0, Math.Min(key.Length, length)).CopyTo(value);
        return value;
    }
}
