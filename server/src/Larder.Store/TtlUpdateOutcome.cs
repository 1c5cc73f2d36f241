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
}
