namespace Larder.Server.Fleet;

/// <summary>The limits of a gateway. The comment of each limit describes what happens when it is reached.</summary>
internal static class FleetLimits
{
    /// <summary>
    /// The maximum number of outstanding calls per pipeline. When it is reached, the gateway stops reading from the client until half of these calls have
    /// completed. The client's own limit is rarely higher.
    /// </summary>
    public const int MaxOutstanding = 1_024;

    /// <summary>
    /// The maximum total size of the outstanding requests of a pipeline, in bytes. When it is reached, the gateway stops reading from the client.
    /// </summary>
    public const int MaxOutstandingBytes = 2 * 1024 * 1024;

    /// <summary>
    /// The maximum number of outstanding parts of one joined call. It is low because a node's connection accepts only 4,096 outstanding commands of all callers
    /// together.
    /// </summary>
    public const int MaxConcurrentParts = 64;

    /// <summary>
    /// The maximum number of bytes that a streamed batch reads from the cluster before the client has received them. At least one item is always read.
    /// </summary>
    public const int ReadAheadBytes = 256 * 1024;

    /// <summary>
    /// The maximum number of removed tags that the cluster remembers for one cache. When it is reached, the oldest is forgotten, and every item with tags from
    /// before its removal is a miss (TAG-6).
    /// </summary>
    public const int MaxRemovedTags = 262_144;

    /// <summary>
    /// The maximum number of attempts of a compare-and-set while other callers change the item. After that the call fails with UNAVAILABLE, not executed.
    /// </summary>
    public const int MaxCompareAndSets = 8;

    /// <summary>
    /// The maximum number of elements in a request whose command is sent without waiting for a turn on its node. Such a command takes about 10 µs.
    /// </summary>
    public const int SmallElements = 8;

    /// <summary>
    /// The maximum number of elements that a light command accesses. Each takes about 1 µs, so the command takes at most 0.25 ms of the node's time. A command
    /// with more elements is heavy and waits for its turn.
    /// </summary>
    public const int LightElements = 256;

    /// <summary>
    /// The maximum size in bytes of a value that a light command reads and a script returns. A value of this size takes 0.1 ms of the node's time.
    /// </summary>
    public const int LightBytes = 64 * 1024;

    /// <summary>The maximum number of random elements that one command picks from a set. Each takes 1 to 3 µs, together 2 to 6 ms.</summary>
    public const int SamplesPerStep = 2_048;

    /// <summary>The maximum number of list elements that a light command searches for a value. Each takes 0.05 µs, together 0.2 ms.</summary>
    public const int LightListElements = 4_096;

    /// <summary>
    /// The maximum number of list elements that one heavy Redis command searches for a value, which takes 3 ms. A longer list is searched in parts.
    /// </summary>
    public const int ListElementsPerStep = 65_536;

    /// <summary>The number of list elements in each part of such a search. A script reads each element in 0.2 to 0.3 µs, so a part takes 3 to 5 ms.</summary>
    public const int ListPartElements = 16_384;

    /// <summary>
    /// The maximum number of elements per command. A larger request runs in steps. Each element blocks the node for about 1 µs, or up to 3.5 µs if it is
    /// inserted into a sorted set in random order. A command therefore takes 2 to 7 ms.
    /// </summary>
    public const int ElementsPerStep = 2_048;

    /// <summary>
    /// The maximum number of elements that one plain command looks up. Nothing else limits the size of the node's reply, and the size of each element may be up
    /// to 5 MB.
    /// </summary>
    public const int ElementsUnmeasured = 16;

    /// <summary>
    /// The maximum number of elements that one pop removes, and the maximum number of elements in the minuend of a SetDifference. A call with more elements is
    /// rejected, because the work of these calls cannot be split into steps. A call with this number of elements blocks the node for 16 to 32 ms.
    /// </summary>
    public const int MaxElementsTotal = 16_384;

    /// <summary>
    /// The maximum cost of erasing elements inside a list. Each marked element costs 1, plus 1 for each 4 MB of the list. A cost of 1 corresponds to about 1 µs
    /// of the node's time. A call with a higher cost is rejected.
    /// </summary>
    public const int MaxErasedElements = 16_384;

    /// <summary>The maximum total size in bytes of a union that the gateway computes. A larger union is rejected.</summary>
    public const int MaxUnionBytes = 64 * 1024 * 1024;

    /// <summary>
    /// The number of slots that contain topics. It is also the maximum number of connections on which a gateway reads topics. If the cluster has more masters
    /// than this number, some masters have no topics.
    /// </summary>
    public const int TopicSlots = 32;

    /// <summary>
    /// The number of messages by which a topic's stream may exceed its limit. When the stream exceeds the limit by more, the oldest messages are dropped in one
    /// step.
    /// </summary>
    public const int TopicSlack = 64;

    /// <summary>The maximum number of caches. It is the same as in the store of a single server.</summary>
    public const int MaxCaches = 10_000;

    /// <summary>The timeout of a call without a deadline. When the timeout expires, the call fails with DEADLINE_EXCEEDED.</summary>
    public static readonly TimeSpan LongestCall = TimeSpan.FromSeconds(15);

    /// <summary>
    /// How long a gateway continues to read a topic after its last subscriber has left, as a number of checks of <see cref="Topics.TopicHost"/>. The checks are
    /// 5 s apart.
    /// </summary>
    public const int TopicIdlePolls = 2;
}
