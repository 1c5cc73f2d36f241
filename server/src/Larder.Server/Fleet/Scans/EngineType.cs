using Larder.Store;

namespace Larder.Server.Fleet;

/// <summary>Maps the type names that the Redis command TYPE returns to item types.</summary>
internal static class EngineType
{
    /// <summary>Returns the item type, or null if Larder does not support the Redis type.</summary>
    public static ItemType? Parse(ReadOnlySpan<byte> name) =>
        name.SequenceEqual("string"u8) ? ItemType.Scalar
        : name.SequenceEqual("hash"u8) ? ItemType.Dictionary
        : name.SequenceEqual("set"u8) ? ItemType.Set
        : name.SequenceEqual("list"u8) ? ItemType.List
        : name.SequenceEqual("zset"u8) ? ItemType.SortedSet
        : null;

    /// <summary>Returns the Redis name of a collection type, or an empty span for a scalar.</summary>
    public static ReadOnlySpan<byte> NameOf(ItemType collection) => collection switch
    {
        ItemType.Dictionary => "hash"u8,
        ItemType.Set => "set"u8,
        ItemType.List => "list"u8,
        ItemType.SortedSet => "zset"u8,
        _ => default,
    };
}
