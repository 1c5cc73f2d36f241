namespace Larder.Store;

/// <summary>How a TTL update ended.</summary>
public enum TtlUpdateOutcome
{
    /// <summary>The entry has the new TTL.</summary>
    Set,

    /// <summary>The entry's own TTL was already at or past the new one in the asked direction.</summary>
    NotSet,

    /// <summary>There is no such entry.</summary>
    Missing,

    /// <summary>The entry's value does not begin with the prefix that was asked for.</summary>
    Different,

    /// <summary>The entry is a collection, and the update depends on a value.</summary>
    WrongType,
}
