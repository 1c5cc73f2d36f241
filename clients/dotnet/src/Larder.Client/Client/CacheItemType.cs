namespace Larder.Client;

/// <summary>What an item holds.</summary>
public enum CacheItemType
{
    /// <summary>One value of bytes.</summary>
    Scalar = 0,

    /// <summary>Fields and their values.</summary>
    Dictionary = 1,

    /// <summary>Distinct elements.</summary>
    Set = 2,

    /// <summary>Elements in order.</summary>
    List = 3,

    /// <summary>Distinct elements, each with a score.</summary>
    SortedSet = 4,
}
