namespace Larder.Store;

/// <summary>The type of an item. The numbers are defined by the protocol call ItemGetType.</summary>
public enum ItemType
{
    /// <summary>A scalar: a single binary value.</summary>
    Scalar = 0,

    /// <summary>A dictionary: fields with values.</summary>
    Dictionary = 1,

    /// <summary>A set: distinct elements without order.</summary>
    Set = 2,

    /// <summary>A list: elements in order.</summary>
    List = 3,

    /// <summary>A sorted set: distinct elements with scores, ordered by score.</summary>
    SortedSet = 4,
}
