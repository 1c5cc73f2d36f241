namespace Larder.Store;

/// <summary>The outcome of a conditional set.</summary>
public enum SetOutcome
{
    /// <summary>The value was stored.</summary>
    Stored,

    /// <summary>The condition is not met, or the cache is deleted. Nothing was changed.</summary>
    NotStored,

    /// <summary>The condition compares a value, but the item under the key is a collection. Nothing was changed.</summary>
    WrongType,

    /// <summary>The call would take too long for its thread (<see cref="CallPace.Short"/>). Nothing was changed.</summary>
    Deferred,
}
