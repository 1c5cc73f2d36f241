namespace Larder.FileStore.Engine;

/// <summary>
/// Sets one entry, or removes the entry if the new value is null. Does so only if the current value equals the expected value. An expected value of null means
/// that the entry must not exist.
/// </summary>
internal struct CompareAndSetMutation(string key, object? expected, object? value, Expiry expiry) : IMutation
{
    private SetMutation _set = value is null ? default : new SetMutation(key, value, expiry);
    private readonly RemoveMutation _remove = new(key);

    public void Encode(RecordBuffer buffer, CacheClock clock)
    {
        if (value is null)
        {
            _remove.Encode(buffer, clock);
        }
        else
        {
            _set.Encode(buffer, clock);
        }
    }

    public readonly bool Decide(EntrySet current) => Holds(current.Find(key)?.Value);

    public readonly void Measure(EntrySet current, out long bytes, out int count)
    {
        if (value is null)
        {
            _remove.Measure(current, out bytes, out count);
        }
        else
        {
            _set.Measure(current, out bytes, out count);
        }
    }

    public readonly bool Writes(string other) => other == key;

    public readonly void Apply(EntrySet set)
    {
        if (value is null)
        {
            _remove.Apply(set);
        }
        else
        {
            _set.Apply(set);
        }
    }

    private readonly bool Holds(object? actual) => (actual, expected) switch
    {
        (null, null) => true,
        (string a, string b) => a == b,
        (byte[] a, byte[] b) => a.AsSpan().SequenceEqual(b),
        (byte[] a, string b) => TextBytes.TryRead(a, out string? text) && text == b,
        (string a, byte[] b) => System.Text.Encoding.UTF8.GetBytes(a).AsSpan().SequenceEqual(b),
        _ => false,
    };
}
