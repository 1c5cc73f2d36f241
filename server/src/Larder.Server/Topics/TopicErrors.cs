using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>The errors of topic calls and of subscriptions that the server ends.</summary>
internal static class TopicErrors
{
    /// <summary>The value of the <c>err</c> trailer of errors about the maximum number of topics and subscribers.</summary>
    public const string LimitCause = "topic_subscriptions_limit_exceeded";

    public static readonly CallError NoCacheName =
        new(StatusCode.InvalidArgument, "the cache name is missing or invalid; it must be 1 to 255 characters and not blank");
    public static readonly CallError NoTopicName = new(StatusCode.InvalidArgument, "the topic name is empty; it must have at least 1 character");
    public static readonly CallError LongTopicName =
        new(StatusCode.InvalidArgument, $"the topic name exceeds {TopicKey.MaxCharacters} characters");

    public static readonly CallError NoValue = new(StatusCode.InvalidArgument, "the request has no value; pass text or binary (either may be empty)");
    public static readonly CallError UnknownFrom = new(StatusCode.InvalidArgument, "invalid metadata 'topic-from'; the only allowed value is 'now'");
    public static readonly CallError FromAndResume =
        new(StatusCode.InvalidArgument, "the metadata 'topic-from' cannot be combined with a start position in the request; omit one");

    public static readonly CallError Draining = new(StatusCode.Unavailable, "the server is shutting down; subscribe again");
    public static readonly CallError PastDeadline = new(StatusCode.DeadlineExceeded, "the deadline passed while the subscription was open");
    public static readonly CallError NoMemory = new(
        StatusCode.ResourceExhausted,
        "the memory for topics is full; this cache has used its share of that memory and has no stored message that can be discarded",
        RpcException.MemoryLimitCause);

    public static readonly CallError GaveWay = new(
        StatusCode.ResourceExhausted,
        "the topic was removed, because its cache used the most memory for topics and another cache needed memory",
        RpcException.MemoryLimitCause);

    public static CallError MessageTooLarge(int bytes) => new(
        StatusCode.ResourceExhausted,
        $"request limit exceeded: the message is {bytes} bytes, but at most {TopicLimits.MaxMessageBytes} are allowed",
        "request_size_limit_exceeded");

    public static CallError TooManyTopics(string cache, int limit) =>
        new(StatusCode.ResourceExhausted, $"cache '{cache}' already has {limit} topics, the maximum set by --max-topics", LimitCause);

    public static CallError TooManySubscribers(int limit) =>
        new(StatusCode.ResourceExhausted, $"the topic already has {limit} subscribers, the maximum set by --max-topic-subscribers", LimitCause);
}
