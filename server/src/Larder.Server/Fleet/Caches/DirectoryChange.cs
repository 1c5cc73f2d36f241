namespace Larder.Server.Fleet;

/// <summary>A change of a whole cache. The name of the enum member, in lower case, is passed to the Lua script.</summary>
internal enum DirectoryChange
{
    Create,
    Delete,
    Flush,

    /// <summary>Records that the cache has leases and stale values (<see cref="CacheUse.Leases"/>).</summary>
    Lease,

    /// <summary>Records that the cache has items with tags (<see cref="CacheUse.Tags"/>).</summary>
    Tag,

    /// <summary>Records that tags of the cache were removed, so that near copies are cleared.</summary>
    Untag,
}
