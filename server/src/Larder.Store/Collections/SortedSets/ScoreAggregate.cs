namespace Larder.Store.Collections;

/// <summary>How a union combines the weighted scores of a member. The values are those of the protocol.</summary>
public enum ScoreAggregate
{
    /// <summary>The sum; ∞ − ∞ gives 0.</summary>
    Sum = 0,

    /// <summary>The smallest score.</summary>
    Min = 1,

    /// <summary>The largest score.</summary>
    Max = 2,
}
