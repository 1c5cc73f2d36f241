namespace Larder.Client;

/// <summary>An item's value and its hash.</summary>
public readonly record struct HashedValue
{
    private readonly byte[]? _value;
    private readonly byte[]? _hash;

    internal HashedValue(byte[] value, byte[] hash)
    {
        _value = value;
        _hash = hash;
    }

    /// <summary>Gets the value.</summary>
    public CacheValue Value => new(_value ?? []);

    /// <summary>Gets the hash of the value, which the server computes. Pass the hash to conditional sets that compare hashes.</summary>
    public ReadOnlyMemory<byte> Hash => _hash;

    /// <summary>Returns only the value's length, because values may be secrets.</summary>
    public override string ToString() => Value.ToString();
}
