namespace Larder.Server.Security;

/// <summary>One line of what a token may do.</summary>
/// <param name="Cache">The cache's name; <see cref="AllCaches"/>: every one.</param>
/// <param name="Rights">What it may do with items there, and with the cache.</param>
/// <param name="KeyPrefix">What the keys begin with for which it holds, 1 byte or more; null: any.</param>
/// <param name="Topics">What it may do with the cache's topics.</param>
/// <param name="IsKey">Whether <see cref="KeyPrefix"/> is the whole key.</param>
internal sealed record Grant(string Cache, Rights Rights, byte[]? KeyPrefix = null, Rights Topics = Rights.None, bool IsKey = false)
{
    public const string AllCaches = "*";

    /// <summary>Whether an entry may do all that this says.</summary>
    public bool IsHeldBy(TokenEntry entry)
    {
        CacheRights rights = Cache == AllCaches ? entry.Everywhere : entry.In(Cache);
        return (rights.Topics & Topics) == Topics
            && (KeyPrefix is null ? rights.Has(Rights) : IsKey ? rights.Allows(Rights, KeyPrefix) : rights.AllowsAll(Rights, KeyPrefix));
    }

    /// <summary>What of it an entry may do.</summary>
    public IEnumerable<Grant> Within(TokenEntry entry) => IsHeldBy(entry) ? [this] : entry.Grants.Select(And).OfType<Grant>();

    // What both say; null: nothing.
    private Grant? And(Grant other)
    {
        if (Cache != other.Cache && Cache != AllCaches && other.Cache != AllCaches)
        {
            return null;
        }

        bool isShorter = other.KeyPrefix is null || (KeyPrefix is not null && !other.IsKey && KeyPrefix.AsSpan().StartsWith(other.KeyPrefix));
        Grant narrow = isShorter ? this : other;
        Grant wide = isShorter ? other : this;
        bool meet = wide.KeyPrefix is null || (wide.IsKey ? wide.SameKey(narrow) : narrow.KeyPrefix.AsSpan().StartsWith(wide.KeyPrefix));
        Grant both = narrow with
        {
            Cache = Cache == AllCaches ? other.Cache : Cache,
            Rights = meet ? Rights & other.Rights : Rights.None,
            Topics = Topics & other.Topics,
        };
        return both.Rights == Rights.None && both.Topics == Rights.None ? null : both;
    }

    private bool SameKey(Grant other) => other.IsKey && other.KeyPrefix.AsSpan().SequenceEqual(KeyPrefix);
}
