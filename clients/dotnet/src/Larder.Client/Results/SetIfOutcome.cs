namespace Larder.Client;

/// <summary>The outcomes of a conditional set.</summary>
public enum SetIfOutcome
{
    /// <summary>The condition was met, and the value was stored.</summary>
    Stored = 0,

    /// <summary>The condition was not met, so the item is unchanged.</summary>
    NotStored = 1,

    /// <summary>The call failed.</summary>
    Error = 2,
}
