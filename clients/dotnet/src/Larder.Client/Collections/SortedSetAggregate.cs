namespace Larder.Client;

/// <summary>How a union combines the weighted scores of an element that is in several of its sorted sets.</summary>
public enum SortedSetAggregate
{
    /// <summary>The sum of the scores.</summary>
    Sum = 0,

    /// <summary>The lowest score.</summary>
    Min = 1,

    /// <summary>The highest score.</summary>
    Max = 2,
}
