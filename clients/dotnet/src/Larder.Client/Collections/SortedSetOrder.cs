namespace Larder.Client;

/// <summary>The order of a sorted set's elements. Those of one score are in the order of their bytes, in the same direction.</summary>
public enum SortedSetOrder
{
    /// <summary>The lowest score first.</summary>
    Ascending = 0,

    /// <summary>The highest score first.</summary>
    Descending = 1,
}
