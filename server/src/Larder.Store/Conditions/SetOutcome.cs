namespace Larder.Store;

/// <summary>How a conditional set ended.</summary>
public enum SetOutcome
{
    /// <summary>The value is stored.</summary>
    Stored,

    /// <summary>The condition does not hold, or the cache is deleted; nothing changed.</summary>
    NotStored,

    /// <summary>The condition is about a value, and the key holds a collection; nothing changed.</summary>
    WrongType,

    /// <summary>The call takes too long for its thread (<see cref="CallPace.Short"/>); nothing changed.</summary>
    Deferred,
}
