namespace Larder.Client;

/// <summary>What a union does with the weighted scores of an element that several of its sorted sets have.</summary>
public enum SortedSetAggregate
{
    /// <summary>Adds them.</summary>
    Sum = 0,

    /// <summary>Takes the lowest.</summary>
    Min = 1,

    /// <summary>Takes the highest.</summary>
    Max = 2,
}
