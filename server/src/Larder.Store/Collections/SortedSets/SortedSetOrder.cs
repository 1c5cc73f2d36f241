namespace Larder.Store.Collections;

/// <summary>The order in which a sorted set is read. The numbers are defined by the protocol.</summary>
public enum SortedSetOrder
{
    /// <summary>The smallest score is first. Elements with equal scores are ordered by the members' bytes.</summary>
    Ascending = 0,

    /// <summary>The reverse of <see cref="Ascending"/>.</summary>
    Descending = 1,
}
