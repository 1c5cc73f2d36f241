using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>The errors of topic calls and of ended subscriptions.</summary>
internal static class TopicErrors
{
    /// <summary>The <c>err</c> trailer of errors about the limits of topics and subscribers.</summary>
    public const string LimitCause = "topic_subscriptions_limit_exceeded";

    public static readonly CallError NoCacheName = new(StatusCode.InvalidArgument, "the request names no cache; its name is 1 to 255 characters and not blank");
    public static readonly CallError NoTopicName = new(StatusCode.InvalidArgument, "the request names no topic; its name is 1 character or more");
    public static readonly CallError LongTopicName =
        new(StatusCode.InvalidArgument, $"the topic's name is over {TopicKey.MaxCharacters} characters");

    public static readonly CallError NoValue = new(StatusCode.InvalidArgument, "the request has no value; a value is text or binary, and may be empty");
    public static readonly CallError UnknownFrom = new(StatusCode.InvalidArgument, "the metadata 'topic-from' is not 'now'");
    public static readonly CallError FromAndResume =
        new(StatusCode.InvalidArgument, "the metadata 'topic-from' begins after the newest message; the request asks for another as well");

    public static readonly CallError Draining = new(StatusCode.Unavailable, "the server is shutting down; subscribe again, here or elsewhere");
    public static readonly CallError PastDeadline = new(StatusCode.DeadlineExceeded, "the deadline passed while the subscription ran");
    public static readonly CallError NoMemory = new(
        StatusCode.ResourceExhausted,
        "the memory for topics is taken: the cache has its share of it, and keeps no message that could be let go",
        RpcException.MemoryLimitCause);

    public static readonly CallError GaveWay = new(
        StatusCode.ResourceExhausted,
        "the topic has ended: its cache has the most memory for topics, and gave way to one that has less",
        RpcException.MemoryLimitCause);

    public static CallError MessageTooLarge(int bytes) => new(
        StatusCode.ResourceExhausted,
        $"request limit exceeded: the message is {bytes} bytes and at most {TopicLimits.MaxMessageBytes} are allowed",
        "request_size_limit_exceeded");

    public static CallError TooManyTopics(string cache, int limit) =>
        new(StatusCode.ResourceExhausted, $"cache '{cache}' has {limit} topics, this server's --max-topics, already", LimitCause);

    public static CallError TooManySubscribers(int limit) =>
        new(StatusCode.ResourceExhausted, $"the topic has {limit} subscribers, this server's --max-topic-subscribers, already", LimitCause);
}
