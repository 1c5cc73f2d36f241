using Larder.Store;
using Larder.Store.Collections;
using Larder.Wire;

namespace Larder.Server.Calls;

/// <summary>The errors of collection calls.</summary>
internal static class CollectionErrors
{
    public static readonly CallError EmptyField = new(StatusCode.InvalidArgument, "a field of the dictionary is empty; a field is 1 byte or more");
    public static readonly CallError NoNumber = new(StatusCode.InvalidArgument, "a score or an amount is no number; scores are numbers or infinite");
    public static readonly CallError NothingPopped = new(StatusCode.InvalidArgument, "the count is 0; at least 1 element can be popped");
    public static readonly CallError NoSource = new(StatusCode.InvalidArgument, "the request names no source for the union");
    public static readonly CallError NoChoice = new(StatusCode.InvalidArgument, "the request does not say which elements it is about");
    public static readonly CallError UnknownOrder = new(StatusCode.InvalidArgument, "the order is neither 0, ascending, nor 1, descending");
    public static readonly CallError UnknownAggregate = new(StatusCode.InvalidArgument, "the aggregate is neither 0, sum, nor 1, min, nor 2, max");
    public static readonly CallError TooManyElements = new(
        StatusCode.ResourceExhausted,
        $"request limit exceeded: at most {RequestItems.Most} elements are allowed in one request",
        "request_size_limit_exceeded");

    private static readonly CallError NotAnInteger = new(
        StatusCode.FailedPrecondition,
        "the field's value is not a base-10 integer of 64 bits, so it cannot be incremented");
    private static readonly CallError Overflow = new(
        StatusCode.FailedPrecondition,
        "the increment would leave the range of the value, or add infinity to its opposite; the value is unchanged");
    private static readonly CallError Full = new(
        StatusCode.ResourceExhausted,
        "item size limit exceeded: the collection would outgrow its share of the server's memory; it is unchanged",
        "item_size_limit_exceeded");

    public static readonly CallError TooManyInSources = new(
        StatusCode.ResourceExhausted,
        $"request limit exceeded: the sources have more than {Cache.MaxUnionElements} elements together; nothing was changed",
        "request_size_limit_exceeded");

    /// <summary>Converts an outcome to an error. Returns null on success, which includes a missing collection.</summary>
    public static CallError? Of(CollectionOutcome outcome, CallTarget target) => outcome switch
    {
        CollectionOutcome.Ok or CollectionOutcome.Missing => null,
        CollectionOutcome.WrongType => CallError.WrongType,
        CollectionOutcome.NotAnInteger => NotAnInteger,
        CollectionOutcome.Overflow => Overflow,
        CollectionOutcome.Full => Full,
        CollectionOutcome.TooMany => TooManyInSources,
        CollectionOutcome.Deferred => CallError.Deferred,
        CollectionOutcome.Cancelled => CallError.Stopped,
        CollectionOutcome.NoCache => CallError.CacheNotFound(target.Cache.Name),
        _ => throw new ArgumentOutOfRangeException(nameof(outcome), outcome, "no outcome of such a call"),
    };

    public static CallError RequestTooLarge(long bytes, int limitBytes) =>
        new(
            StatusCode.ResourceExhausted,
            $"request limit exceeded: the name and the elements are {bytes} bytes and at most {limitBytes} are allowed",
            "request_size_limit_exceeded");

    /// <param name="instead">The suggested alternative.</param>
    public static CallError AnswerTooLarge(string instead) =>
        new(
            StatusCode.ResourceExhausted,
            $"the answer would be over the limit of {CollectionAnswer.MostBytes} bytes; nothing was changed: {instead}");
}
