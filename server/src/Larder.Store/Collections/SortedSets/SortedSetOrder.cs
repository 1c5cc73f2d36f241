namespace Larder.Store.Collections;

/// <summary>In which order a sorted set is read. The numbers are those of the protocol.</summary>
public enum SortedSetOrder
{
    /// <summary>The smallest score first; equal scores by the member's bytes.</summary>
    Ascending = 0,

    /// <summary>The same the other way round.</summary>
    Descending = 1,
}
