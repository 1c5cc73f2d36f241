namespace Larder.Client;

/// <summary>What <c>UpdateTtlIfPrefixAsync</c> did with an existing item.</summary>
public readonly record struct PrefixTtlUpdate
{
    private readonly byte[]? _prefix;

    internal PrefixTtlUpdate(byte[] prefix) => _prefix = prefix;

    /// <summary>Gets whether the TTL was changed. If false, the value begins with other bytes, and the item is unchanged.</summary>
    public bool IsUpdated => _prefix is null;

    /// <summary>Gets the value's first 64 bytes, or all of a shorter value. Empty if the TTL was changed.</summary>
    public CacheValue Prefix => new(_prefix ?? []);

    /// <summary>Returns whether the TTL was changed.</summary>
    public override string ToString() => IsUpdated ? "updated" : "not updated";
}
