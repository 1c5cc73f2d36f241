namespace Larder.Store.Collections;

/// <summary>The outcome of a call on a collection. Unless it is <see cref="Ok"/>, nothing was changed or returned.</summary>
public enum CollectionOutcome
{
    /// <summary>The call succeeded.</summary>
    Ok,

    /// <summary>The item does not exist, or the requested slice of a list is empty.</summary>
    Missing,

    /// <summary>The key contains an item of another type.</summary>
    WrongType,

    /// <summary>The field's value is not a base-10 int64.</summary>
    NotAnInteger,

    /// <summary>The sum does not fit into an int64, or a sum of scores is not a number (∞ − ∞).</summary>
    Overflow,

    /// <summary>The response would exceed the caller's limit (<see cref="AnswerLimit"/>).</summary>
    TooLarge,

    /// <summary>The collection would exceed the maximum size (<see cref="CacheStore.MaxCollectionBytes"/>).</summary>
    Full,

    /// <summary>A list was changed in its middle while it was copied piece by piece. Public calls never return this outcome.</summary>
    Changed,

    /// <summary>The scan cursor is not a cursor of this collection (<see cref="Cache.ScanItems"/>).</summary>
    ForeignCursor,

    /// <summary>The sources of a union have more elements in total than one call may read (<see cref="Cache.MaxUnionElements"/>).</summary>
    TooMany,

    /// <summary>The cache is deleted. Nothing is stored.</summary>
    NoCache,

    /// <summary>The call would take too long for its thread, or would have to wait for another call (<see cref="CallPace.Short"/>).</summary>
    Deferred,

    /// <summary>The caller no longer waits for the result (<see cref="CallPace.Step"/>).</summary>
    Cancelled,
}
