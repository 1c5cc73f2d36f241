namespace Larder.Store;

/// <summary>The outcome of a conditional set.</summary>
public enum SetOutcome
{
    /// <summary>The value was stored.</summary>
    Stored,

    /// <summary>The condition is not met, or the cache is deleted; nothing was changed.</summary>
    NotStored,

    /// <summary>The condition compares a value, but the key holds a collection; nothing was changed.</summary>
    WrongType,

    /// <summary>The call would take too long for its thread (<see cref="CallPace.Short"/>); nothing was changed.</summary>
    Deferred,
}
