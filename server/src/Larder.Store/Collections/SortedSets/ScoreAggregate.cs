namespace Larder.Store.Collections;

/// <summary>Specifies how a union combines the weighted scores of a member. The numbers are defined by the protocol.</summary>
public enum ScoreAggregate
{
    /// <summary>The sum of the scores. ∞ − ∞ gives 0.</summary>
    Sum = 0,

    /// <summary>The smallest score.</summary>
    Min = 1,

    /// <summary>The largest score.</summary>
    Max = 2,
}
