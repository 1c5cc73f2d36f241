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

    /// <summary>
    /// Elements that one command takes; a request of more is carried out in steps. A node is held for about 1 µs an element, up to 3.5 µs where a sorted set
    /// is made in no order: 16 to 60 ms, where a node that says nothing for 1 s is given up.
    /// </summary>
    public const int ElementsAtOnce = 16_384;

    /// <summary>Elements that are looked up by one plain command, whose answer nothing bounds but their number: each may be 5 MB.</summary>
    public const int ElementsUnmeasured = 16;

    /// <summary>Elements that one pop takes, and that a set is made anew of; more is refused. As above, 65 to 130 ms.</summary>
    public const int ElementsTogether = 65_536;

    /// <summary>
    /// What erasing from a list's inside may cost, in elements that are marked: each takes about 1 µs, and as much again for each 4 MB of the list. More is
    /// refused.
    /// </summary>
    public const int MostErasing = 262_144;

    /// <summary>Bytes of the elements of a union that the front gathers; more is refused.</summary>
    public const int MostUnionBytes = 64 * 1024 * 1024;

    /// <summary>
    /// Slots that topics are in, and so the most connections on which a front reads them. A cluster of more masters has topics on so many of them.
    /// </summary>
    public const int TopicSlots = 32;

    /// <summary>Messages more than are kept that a topic's stream may have before the oldest are dropped, all at once.</summary>
    public const int TopicSlack = 64;

    /// <summary>Caches that may exist at once, as in the store of one server.</summary>
    public const int MaxCaches = 10_000;

    /// <summary>How long a call without a deadline may take; then it is DEADLINE_EXCEEDED.</summary>
    public static readonly TimeSpan LongestCall = TimeSpan.FromSeconds(15);

    /// <summary>How long a front goes on reading a topic whose last subscriber has left: looks of <see cref="Topics.TopicHost"/>, 5 s apart.</summary>
    public const int TopicIdleLooks = 2;
}
