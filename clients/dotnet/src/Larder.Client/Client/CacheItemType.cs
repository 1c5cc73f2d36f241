namespace Larder.Client;

/// <summary>The type of an item.</summary>
public enum CacheItemType
{
    /// <summary>One value: a sequence of bytes.</summary>
    Scalar = 0,

    /// <summary>Fields with values.</summary>
    Dictionary = 1,

    /// <summary>Distinct elements.</summary>
    Set = 2,

    /// <summary>An ordered sequence of elements.</summary>
    List = 3,

    /// <summary>Distinct elements, each with a score.</summary>
    SortedSet = 4,
}
