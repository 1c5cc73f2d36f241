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

    /// <summary>Elements of a request whose command needs no turn on its node: some 10 µs.</summary>
    public const int SmallElements = 8;

    /// <summary>
    /// Elements that a light command touches at most: about 1 µs each, 0.25 ms of its node's time. What is more is heavy, and waits for its turn.
    /// </summary>
    public const int LightElements = 256;

    /// <summary>Bytes of a value that a light command reads and a script answers, as above: 0.1 ms.</summary>
    public const int LightBytes = 64 * 1024;

    /// <summary>Elements of a set that the engine picks by chance with one command: 1 to 3 µs each, 2 to 6 ms.</summary>
    public const int PicksAtOnce = 2_048;

    /// <summary>Elements of a list that a light command looks through for a value: 0.05 µs each, 0.2 ms.</summary>
    public const int LightListElements = 4_096;

    /// <summary>Elements of a list that one heavy command looks through for a value in the engine: 3 ms. A longer list is gone through in parts.</summary>
    public const int ListElementsAtOnce = 65_536;

    /// <summary>Elements of a part of such a list: a script reads them at 0.2 to 0.3 µs each, 3 to 5 ms.</summary>
    public const int ListPartElements = 16_384;

    /// <summary>
    /// Elements that one command takes; a request of more is carried out in steps. A node is held for about 1 µs an element, up to 3.5 µs where a sorted set
    /// is made in no order: 2 to 7 ms.
    /// </summary>
    public const int ElementsAtOnce = 2_048;

    /// <summary>Elements that are looked up by one plain command, whose answer nothing bounds but their number: each may be 5 MB.</summary>
    public const int ElementsUnmeasured = 16;

    /// <summary>Elements that one pop takes, and that a set is made anew of; more is refused. As above, 16 to 32 ms: what they do is one step.</summary>
    public const int ElementsTogether = 16_384;

    /// <summary>
    /// What erasing from a list's inside may cost, in elements that are marked: each takes about 1 µs, and as much again for each 4 MB of the list. More is
    /// refused.
    /// </summary>
    public const int MostErasing = 16_384;

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
