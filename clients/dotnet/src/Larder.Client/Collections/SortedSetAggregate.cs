namespace Larder.Client;

/// <summary>How a union combines the weighted scores of an element that is in several of the source sets.</summary>
public enum SortedSetAggregate
{
    /// <summary>The result is the sum of the scores.</summary>
    Sum = 0,

    /// <summary>The result is the lowest score.</summary>
    Min = 1,

    /// <summary>The result is the highest score.</summary>
    Max = 2,
}
