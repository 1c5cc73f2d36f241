namespace Larder.Server.Fleet;

/// <summary>The bounds of a front, and what happens at each.</summary>
internal static class FleetLimits
{
    /// <summary>Calls of one pipeline that are begun and not answered; past it reading stops until half of them are. A client's cap is seldom more.</summary>
    public const int MaxOutstanding = 1_024;

    /// <summary>What the requests of those may take together, in bytes; past it reading stops too.</summary>
    public const int MaxOutstandingBytes = 2 * 1024 * 1024;

    /// <summary>Parts of one joined call that are sent at once; the next when one is answered. A node's connection takes 4,096 from all callers.</summary>
    public const int PartsAtOnce = 64;

    /// <summary>What a streamed batch reads ahead of its reader, in bytes; one item is always read.</summary>
    public const int ReadAheadBytes = 256 * 1024;

    /// <summary>Times that a compare-and-set is tried while others change the item; then the call is UNAVAILABLE, not executed.</summary>
    public const int MaxCompareAndSets = 8;

    /// <summary>Caches that may exist at once, as in the store of one server.</summary>
    public const int MaxCaches = 10_000;

    /// <summary>How long a call without a deadline may take; then it is DEADLINE_EXCEEDED.</summary>
    public static readonly TimeSpan LongestCall = TimeSpan.FromSeconds(15);
}
