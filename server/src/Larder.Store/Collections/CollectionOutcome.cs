namespace Larder.Store.Collections;

/// <summary>How a call on a collection ended. Only <see cref="Ok"/> has changed or shown anything.</summary>
public enum CollectionOutcome
{
    /// <summary>Done; or found, and shown.</summary>
    Ok,

    /// <summary>There is no such item; for a slice of a list also: the slice is empty.</summary>
    Missing,

    /// <summary>The key holds an item of another type.</summary>
    WrongType,

    /// <summary>The field holds something other than a base-10 int64.</summary>
    NotAnInteger,

    /// <summary>The sum does not fit an int64; or, of scores, is no number: ∞ − ∞.</summary>
    Overflow,

    /// <summary>The answer would pass the limit that the caller set (<see cref="AnswerLimit"/>).</summary>
    TooLarge,

    /// <summary>The collection would outgrow its shard's share of the memory (<see cref="CacheStore.MaxCollectionBytes"/>).</summary>
    Full,

    /// <summary>A list that is copied piece by piece was changed in its middle meanwhile. No call of a caller's ends so.</summary>
    Changed,

    /// <summary>What a scan is to go on with is no cursor of this collection's (<see cref="Cache.ScanItems"/>).</summary>
    ForeignCursor,

    /// <summary>The sources of a union have more elements together than one call reads (<see cref="Cache.MaxUnionElements"/>).</summary>
    TooMany,

    /// <summary>The cache is deleted; nothing is stored.</summary>
    NoCache,

    /// <summary>The call takes too long for its thread, or would wait for another one (<see cref="CallPace.Short"/>).</summary>
    Deferred,

    /// <summary>Nobody waits for the result any more (<see cref="CallPace.Step"/>).</summary>
    Cancelled,
}
