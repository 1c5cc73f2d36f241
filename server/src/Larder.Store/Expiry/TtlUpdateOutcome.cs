namespace Larder.Store;

/// <summary>The outcome of a TTL update.</summary>
public enum TtlUpdateOutcome
{
    /// <summary>The entry has the new TTL.</summary>
    Set,

    /// <summary>
    /// The TTL was not changed, because the remaining TTL was not shorter (<see cref="TtlUpdate.IncreaseTo"/>) or not longer
    /// (<see cref="TtlUpdate.DecreaseTo"/>) than the new one.
    /// </summary>
    NotSet,

    /// <summary>The entry does not exist.</summary>
    Missing,

    /// <summary>The entry's value does not begin with the required prefix.</summary>
    Different,

    /// <summary>The entry is a collection, but the update requires a prefix.</summary>
    WrongType,
}
