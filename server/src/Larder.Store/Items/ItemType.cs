namespace Larder.Store;

/// <summary>The type of an item. The values are those of ItemGetType.</summary>
public enum ItemType
{
    /// <summary>A single binary value.</summary>
    Scalar = 0,

    /// <summary>Fields with values.</summary>
    Dictionary = 1,

    /// <summary>Distinct elements, unordered.</summary>
    Set = 2,

    /// <summary>Elements in order.</summary>
    List = 3,

    /// <summary>Distinct elements, each with a score, ordered by score.</summary>
    SortedSet = 4,
}
