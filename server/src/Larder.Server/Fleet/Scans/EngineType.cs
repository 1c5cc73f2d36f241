using Larder.Store;

namespace Larder.Server.Fleet;

/// <summary>What an item holds, as the engine's TYPE names it.</summary>
internal static class EngineType
{
    /// <summary>Null where it is of a kind that no cache has.</summary>
    public static ItemType? Parse(ReadOnlySpan<byte> name) =>
        name.SequenceEqual("string"u8) ? ItemType.Scalar
        : name.SequenceEqual("hash"u8) ? ItemType.Dictionary
        : name.SequenceEqual("set"u8) ? ItemType.Set
        : name.SequenceEqual("list"u8) ? ItemType.List
        : name.SequenceEqual("zset"u8) ? ItemType.SortedSet
        : null;

    /// <summary>A collection's; of a scalar nothing.</summary>
    public static ReadOnlySpan<byte> NameOf(ItemType collection) => collection switch
    {
        ItemType.Dictionary => "hash"u8,
        ItemType.Set => "set"u8,
        ItemType.List => "list"u8,
        ItemType.SortedSet => "zset"u8,
        _ => default,
    };
}
