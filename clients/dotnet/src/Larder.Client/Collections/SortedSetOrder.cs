namespace Larder.Client;

/// <summary>The order of a sorted set's elements. Elements with the same score are ordered by their bytes, in the same direction.</summary>
public enum SortedSetOrder
{
    /// <summary>Elements with the lowest scores first.</summary>
    Ascending = 0,

    /// <summary>Elements with the highest scores first.</summary>
    Descending = 1,
}
