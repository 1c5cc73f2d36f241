namespace Larder.Client;

/// <summary>The order of a sorted set's elements. Elements with the same score are ordered by their bytes, in the same direction.</summary>
public enum SortedSetOrder
{
    /// <summary>The lowest score first.</summary>
    Ascending = 0,

    /// <summary>The highest score first.</summary>
    Descending = 1,
}
