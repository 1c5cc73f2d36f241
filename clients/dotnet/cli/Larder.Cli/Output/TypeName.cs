using Larder.Client;

namespace Larder.Cli;

/// <summary>Converts the type of an item to a word.</summary>
internal static class TypeName
{
    public static string Of(CacheItemType type) => type switch
    {
        CacheItemType.Scalar => "scalar",
        CacheItemType.Dictionary => "dictionary",
        CacheItemType.Set => "set",
        CacheItemType.List => "list",
        CacheItemType.SortedSet => "sorted-set",
        _ => "unknown",
    };
}
