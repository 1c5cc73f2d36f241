namespace Larder.Store;

/// <summary>How an increment ended.</summary>
public enum IncrementOutcome
{
    /// <summary>The sum is stored.</summary>
    Ok,

    /// <summary>The key holds something other than a base-10 int64; nothing changed.</summary>
    NotAnInteger,

    /// <summary>The sum does not fit an int64; nothing changed.</summary>
    Overflow,

    /// <summary>The key holds a collection; nothing changed.</summary>
    WrongType,

    /// <summary>The cache is deleted; nothing is stored.</summary>
    NoCache,
}
