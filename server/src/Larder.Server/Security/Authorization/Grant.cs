namespace Larder.Server.Security;

/// <summary>One line of what a token may do.</summary>
/// <param name="Cache">The cache's name; <see cref="AllCaches"/>: every one.</param>
/// <param name="Rights">What it may do with items there, and with the cache.</param>
/// <param name="KeyPrefix">What the keys begin with for which it holds, 1 byte or more, and of a grant on topics alone, their names; null: any.</param>
/// <param name="Topics">What it may do with the cache's topics: with all of them where it has <paramref name="Rights"/> too.</param>
/// <param name="IsKey">Whether <see cref="KeyPrefix"/> is the whole key, or the whole name.</param>
internal sealed record Grant(string Cache, Rights Rights, byte[]? KeyPrefix = null, Rights Topics = Rights.None, bool IsKey = false)
{
    public const string AllCaches = "*";

    /// <summary>Whether it is on topics alone, and not on all of them.</summary>
    public bool IsOfSomeTopics => KeyPrefix is not null && Rights == Rights.None;

    /// <summary>What it may do with topics: an administrator everything.</summary>
    public Rights AllTopics => Topics | (Rights == Rights.All ? Rights.ReadWrite : Rights.None);

    /// <summary>Whether an entry may do all that this says.</summary>
    public bool IsHeldBy(TokenEntry entry)
    {
        CacheRights rights = Cache == AllCaches ? entry.Everywhere : entry.In(Cache);
        if (IsOfSomeTopics)
        {
            return IsKey ? rights.AllowsTopic(Topics, KeyPrefix) : rights.AllowsAllTopics(Topics, KeyPrefix);
        }

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

        string cache = Cache == AllCaches ? other.Cache : Cache;
        Rights topics = AllTopics & other.AllTopics;
        if (IsOfSomeTopics != other.IsOfSomeTopics)
        {
            // The one names topics, and the other has all or none of them.
            return topics == Rights.None ? null : (IsOfSomeTopics ? this : other) with { Cache = cache, Topics = topics };
        }

        bool isShorter = other.KeyPrefix is null || (KeyPrefix is not null && !other.IsKey && KeyPrefix.AsSpan().StartsWith(other.KeyPrefix));
        Grant narrow = isShorter ? this : other;
        Grant wide = isShorter ? other : this;
        bool meet = wide.KeyPrefix is null || (wide.IsKey ? wide.SameKey(narrow) : narrow.KeyPrefix.AsSpan().StartsWith(wide.KeyPrefix));
        if (IsOfSomeTopics)
        {
            return meet && topics != Rights.None ? narrow with { Cache = cache, Topics = topics } : null;
        }

        Rights rights = meet ? Rights & other.Rights : Rights.None;
        // Topics are those of the whole cache, whatever keys the grants are of.
        return rights != Rights.None ? narrow with { Cache = cache, Rights = rights, Topics = topics }
            : topics != Rights.None ? new Grant(cache, Rights.None, Topics: topics)
            : null;
    }

    private bool SameKey(Grant other) => other.IsKey && other.KeyPrefix.AsSpan().SequenceEqual(KeyPrefix);
}
