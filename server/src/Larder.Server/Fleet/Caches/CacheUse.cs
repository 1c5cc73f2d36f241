namespace Larder.Server.Fleet;

/// <summary>
/// Which calls a cache of the fleet has served. Each value includes the work of the lower values. Each gateway reads this from the directory before the first
/// such call completes. A cache without leases and tags therefore has no cost for them.
/// </summary>
internal enum CacheUse
{
    /// <summary>Neither leases nor tags. Each item is stored under one key.</summary>
    Plain = 0,

    /// <summary>Leases and stale values. A write also removes what is stored next to the item.</summary>
    Leases = 1,

    /// <summary>Also tags. A call first checks the tags of its item.</summary>
    Tags = 2,
}
