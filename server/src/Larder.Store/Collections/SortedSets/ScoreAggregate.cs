namespace Larder.Store.Collections;

/// <summary>What a union does with the weighted scores of one member. The numbers are those of the protocol.</summary>
public enum ScoreAggregate
{
    /// <summary>Adds them; ∞ − ∞ is 0.</summary>
    Sum = 0,

    /// <summary>Takes the smallest.</summary>
    Min = 1,

    /// <summary>Takes the largest.</summary>
    Max = 2,
}
