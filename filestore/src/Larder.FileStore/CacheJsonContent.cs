namespace Larder.FileStore;

/// <summary>The shape of the older library's file, for code that reads or writes one. The cache itself does not use it.</summary>
[Obsolete("The cache is no longer one JSON object. Use GetAllKeyValues, or 'larder file list' and 'larder file import'.")]
public sealed class CacheJsonContent
{
    /// <summary>Keys and values.</summary>
    public Dictionary<string, string> Cache { get; set; } = [];

    /// <summary>When entries end, in ticks of UTC.</summary>
    public Dictionary<string, long> TimeOuts { get; set; } = [];
}
