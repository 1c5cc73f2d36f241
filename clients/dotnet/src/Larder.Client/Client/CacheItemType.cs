namespace Larder.Client;

/// <summary>The type of an item.</summary>
public enum CacheItemType
{
    /// <summary>A single value: a sequence of bytes.</summary>
    Scalar = 0,

    /// <summary>A dictionary: fields with values.</summary>
    Dictionary = 1,

    /// <summary>A set: distinct elements without an order.</summary>
    Set = 2,

    /// <summary>A list: an ordered sequence of elements.</summary>
    List = 3,

    /// <summary>A sorted set: distinct elements, each with a score.</summary>
    SortedSet = 4,
}
