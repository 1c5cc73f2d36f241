namespace Larder.Agent;

/// <summary>The keys and values of a workload, made before anything is measured. Value i begins with key i, as far as it fits.</summary>
internal sealed class LoadItems
{
    private readonly byte[][] _keys;
    private readonly byte[][] _values;
    private readonly byte[][] _absentKeys;

    /// <summary>Makes every key and value of a workload.</summary>
    public LoadItems(LoadWorkload workload)
    {
        Workload = workload;
        Chooser = new LoadKeyChooser(workload.Keys, workload.Zipf);
        _keys = Make(workload.Keys, LoadWorkload.KeyOf);
        _values = Make(workload.Keys, i => ValueOf(_keys[i], workload.SizeOf(i)));
        _absentKeys = workload.MissRatio > 0 ? Make(workload.Keys, i => LoadWorkload.KeyOf(i + workload.Keys)) : [];
    }

    /// <summary>What these are the items of.</summary>
    public LoadWorkload Workload { get; }

    /// <summary>Chooses keys by their popularity.</summary>
    public LoadKeyChooser Chooser { get; }

    /// <summary>Whether these are the items of another workload too: one that differs in how they are asked for, not in what they are.</summary>
    public bool Serves(LoadWorkload other) => other == Workload with { Preload = other.Preload, ReadRatio = other.ReadRatio, TtlMs = other.TtlMs };

    /// <summary>Bytes of key <paramref name="index"/>.</summary>
    public byte[] Key(int index) => _keys[index];

    /// <summary>Bytes of its value.</summary>
    public byte[] Value(int index) => _values[index];

    /// <summary>Bytes of a key that is never set.</summary>
    public byte[] AbsentKey(int index) => _absentKeys[index];

    /// <summary>Whether a value read can be the one set for a key.</summary>
    public static bool Belongs(ReadOnlySpan<byte> value, ReadOnlySpan<byte> key)
    {
        var length = Math.Min(value.Length, key.Length);
        return value[..length].SequenceEqual(key[..length]);
    }

    private static byte[][] Make(int count, Func<int, byte[]> make)
    {
        var made = new byte[count][];
        for (var i = 0; i < count; i++)
        {
            made[i] = make(i);
        }

        return made;
    }

    private static byte[] ValueOf(byte[] key, int length)
    {
        var value = new byte[length];
        value.AsSpan().Fill((byte)'v');
        key.AsSpan(0, Math.Min(key.Length, length)).CopyTo(value);
        return value;
    }
}
