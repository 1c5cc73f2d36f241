namespace Larder.Client;

/// <summary>The result of <c>UpdateTtlIfPrefixAsync</c> for an existing item.</summary>
public readonly record struct PrefixTtlUpdate
{
    private readonly byte[]? _prefix;

    internal PrefixTtlUpdate(byte[] prefix) => _prefix = prefix;

    /// <summary>Gets whether the TTL was changed. If false, the value does not start with the given prefix, and the item is unchanged.</summary>
    public bool IsUpdated => _prefix is null;

    /// <summary>Gets the first 64 bytes of the value, or the whole value if it is shorter. Empty if the TTL was changed.</summary>
    public CacheValue Prefix => new(_prefix ?? []);

    /// <summary>Returns whether the TTL was changed.</summary>
    public override string ToString() => IsUpdated ? "updated" : "not updated";
}
