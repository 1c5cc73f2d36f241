namespace Larder.FileStore;

/// <summary>
/// The JSON structure of a cache file of Net.DistributedFileStoreCache, for code that reads or writes such a file. The cache does not use this type.
/// </summary>
[Obsolete("This type cannot represent the current format of the cache file. Use GetAllKeyValues, or 'larder file export' and 'larder file import'.")]
public sealed class CacheJsonContent
{
    /// <summary>Gets or sets the keys and values.</summary>
    public Dictionary<string, string> Cache { get; set; } = [];

    /// <summary>Gets or sets the expiration times by key, in UTC ticks.</summary>
    public Dictionary<string, long> TimeOuts { get; set; } = [];
}
