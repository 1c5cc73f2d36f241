namespace Larder.Server.Security;

/// <summary>One grant of a token.</summary>
/// <param name="Cache">The cache name; <see cref="AllCaches"/> for every cache.</param>
/// <param name="Rights">The rights to the cache and its items.</param>
/// <param name="KeyPrefix">
/// The prefix of the keys to which the grant applies. If the grant applies only to topics, it is the prefix of the topic names. It has at least 1 byte. Null if
/// the grant applies to all keys or topics.
/// </param>
/// <param name="Topics">The rights to the cache's topics. They apply to all topics if <paramref name="Rights"/> is also set.</param>
/// <param name="IsKey">Whether <see cref="KeyPrefix"/> is a whole key or name instead of a prefix.</param>
internal sealed record Grant(string Cache, Rights Rights, byte[]? KeyPrefix = null, Rights Topics = Rights.None, bool IsKey = false)
{
    public const string AllCaches = "*";

    /// <summary>Gets whether the grant applies to topics but not to items, and is limited to some topics.</summary>
    public bool HasTopicScope => KeyPrefix is not null && Rights == Rights.None;

    /// <summary>Gets the rights to topics. An administrator has all rights to topics.</summary>
    public Rights AllTopics => Topics | (Rights == Rights.All ? Rights.ReadWrite : Rights.None);

    /// <summary>Returns whether an entry has all rights of this grant.</summary>
    public bool IsHeldBy(TokenEntry entry)
    {
        CacheRights rights = Cache == AllCaches ? entry.Everywhere : entry.In(Cache);
        if (HasTopicScope)
        {
            return IsKey ? rights.AllowsTopic(Topics, KeyPrefix) : rights.AllowsAllTopics(Topics, KeyPrefix);
        }

        return (rights.Topics & Topics) == Topics
            && (KeyPrefix is null ? rights.Has(Rights) : IsKey ? rights.Allows(Rights, KeyPrefix) : rights.AllowsAll(Rights, KeyPrefix));
    }

    /// <summary>Returns the parts of this grant whose rights an entry has.</summary>
    public IEnumerable<Grant> Within(TokenEntry entry) => IsHeldBy(entry) ? [this] : entry.Grants.Select(And).OfType<Grant>();

    // Returns the intersection of two grants; null if it is empty.
    private Grant? And(Grant other)
    {
        if (Cache != other.Cache && Cache != AllCaches && other.Cache != AllCaches)
        {
            return null;
        }

        string cache = Cache == AllCaches ? other.Cache : Cache;
        Rights topics = AllTopics & other.AllTopics;
        if (HasTopicScope != other.HasTopicScope)
        {
            // One of the grants is limited to some topics. The other applies to all topics or to no topics.
            return topics == Rights.None ? null : (HasTopicScope ? this : other) with { Cache = cache, Topics = topics };
        }

        bool isShorter = other.KeyPrefix is null || (KeyPrefix is not null && !other.IsKey && KeyPrefix.AsSpan().StartsWith(other.KeyPrefix));
        Grant narrow = isShorter ? this : other;
        Grant wide = isShorter ? other : this;
        bool meet = wide.KeyPrefix is null || (wide.IsKey ? wide.SameKey(narrow) : narrow.KeyPrefix.AsSpan().StartsWith(wide.KeyPrefix));
        if (HasTopicScope)
        {
            return meet && topics != Rights.None ? narrow with { Cache = cache, Topics = topics } : null;
        }

        Rights rights = meet ? Rights & other.Rights : Rights.None;
        // Rights to topics apply to the whole cache, even if the grants are limited to some keys.
        return rights != Rights.None ? narrow with { Cache = cache, Rights = rights, Topics = topics }
            : topics != Rights.None ? new Grant(cache, Rights.None, Topics: topics)
            : null;
    }

    private bool SameKey(Grant other) => other.IsKey && other.KeyPrefix.AsSpan().SequenceEqual(KeyPrefix);
}
