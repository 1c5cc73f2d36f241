namespace Larder.Server.Fleet;

/// <summary>The limits of a gateway, and what happens when each is reached.</summary>
internal static class FleetLimits
{
    /// <summary>
    /// The maximum number of outstanding calls per pipeline. When it is reached, reading stops until half of them are answered. The limit of a client is rarely
    /// higher.
    /// </summary>
    public const int MaxOutstanding = 1_024;

    /// <summary>The maximum total size of the outstanding requests of a pipeline, in bytes. When it is reached, reading stops too.</summary>
    public const int MaxOutstandingBytes = 2 * 1024 * 1024;

    /// <summary>The maximum number of parts of one joined call that are outstanding at once. A node's connection takes 4,096 commands of all callers.</summary>
    public const int MaxConcurrentParts = 64;

    /// <summary>The maximum number of bytes that a streamed batch reads ahead of the client; one item is always read.</summary>
    public const int ReadAheadBytes = 256 * 1024;

    /// <summary>
    /// The maximum number of attempts of a compare-and-set while other callers change the item. After that the call fails with UNAVAILABLE, not executed.
    /// </summary>
    public const int MaxCompareAndSets = 8;

    /// <summary>The maximum number of elements in a request whose command is sent without waiting for a turn on its node: about 10 µs.</summary>
    public const int SmallElements = 8;

    /// <summary>
    /// The maximum number of elements that a light command touches: about 1 µs each, 0.25 ms of the node's time. A command with more is heavy and waits for its
    /// turn.
    /// </summary>
    public const int LightElements = 256;

    /// <summary>The maximum size in bytes of a value that a light command reads and a script returns: 0.1 ms.</summary>
    public const int LightBytes = 64 * 1024;

    /// <summary>The maximum number of random elements that one command picks from a set: 1 to 3 µs each, 2 to 6 ms.</summary>
    public const int SamplesPerStep = 2_048;

    /// <summary>The maximum number of list elements that a light command searches for a value: 0.05 µs each, 0.2 ms.</summary>
    public const int LightListElements = 4_096;

    /// <summary>The maximum number of list elements that one heavy Redis command searches for a value: 3 ms. A longer list is searched in parts.</summary>
    public const int ListElementsPerStep = 65_536;

    /// <summary>The number of list elements in such a part. A script reads them at 0.2 to 0.3 µs each: 3 to 5 ms.</summary>
    public const int ListPartElements = 16_384;

    /// <summary>
    /// The maximum number of elements per command; a larger request runs in steps. An element blocks the node for about 1 µs, or up to 3.5 µs if it is inserted
    /// into a sorted set in random order: 2 to 7 ms.
    /// </summary>
    public const int ElementsPerStep = 2_048;

    /// <summary>
    /// The maximum number of elements looked up by one plain command. Its response is limited only by this number, and each element may have 5 MB.
    /// </summary>
    public const int ElementsUnmeasured = 16;

    /// <summary>
    /// The maximum number of elements that one pop may remove, or that a set is replaced with. A call with more is rejected. At the times per element given for
    /// <see cref="ElementsPerStep"/>, this blocks the node for 16 to 32 ms, because the work must be one step.
    /// </summary>
    public const int MaxElementsTotal = 16_384;

    /// <summary>
    /// The maximum cost of erasing inside a list, in marked elements. Each takes about 1 µs, and another 1 µs per 4 MB of the list. A call that costs more is
    /// rejected.
    /// </summary>
    public const int MaxErasedElements = 16_384;

    /// <summary>The maximum total size in bytes of a union that the gateway computes. A larger union is rejected.</summary>
    public const int MaxUnionBytes = 64 * 1024 * 1024;

    /// <summary>
    /// The number of slots that contain topics, and so the maximum number of connections on which a gateway reads them. In a cluster with more masters, only
    /// this many masters hold topics.
    /// </summary>
    public const int TopicSlots = 32;

    /// <summary>The number of messages that a topic's stream may have beyond its limit before the oldest are dropped, all at once.</summary>
    public const int TopicSlack = 64;

    /// <summary>The maximum number of caches, as in the store of a single server.</summary>
    public const int MaxCaches = 10_000;

    /// <summary>The timeout of a call without a deadline. After it the call fails with DEADLINE_EXCEEDED.</summary>
    public static readonly TimeSpan LongestCall = TimeSpan.FromSeconds(15);

    /// <summary>
    /// How long a gateway keeps reading a topic after its last subscriber has left: the number of checks of <see cref="Topics.TopicHost"/>, which are 5 s
    /// apart.
    /// </summary>
    public const int TopicIdlePolls = 2;
}
