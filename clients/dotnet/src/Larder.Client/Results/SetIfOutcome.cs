namespace Larder.Client;

/// <summary>The outcomes of a conditional set.</summary>
public enum SetIfOutcome
{
    /// <summary>The condition held, and the value is stored.</summary>
    Stored = 0,

    /// <summary>The condition did not hold; the item is unchanged.</summary>
    NotStored = 1,

    /// <summary>The call failed.</summary>
    Error = 2,
}
