using Larder.Store;
using Larder.Store.Collections;
using Larder.Wire;

namespace Larder.Server.Calls;

/// <summary>The errors of collection calls.</summary>
internal static class CollectionErrors
{
    public static readonly CallError EmptyField = new(StatusCode.InvalidArgument, "a dictionary field is empty; it must be at least 1 byte");
    public static readonly CallError NoNumber = new(StatusCode.InvalidArgument, "a score or an amount is NaN; pass a finite or infinite number");
    public static readonly CallError NothingPopped = new(StatusCode.InvalidArgument, "the count must be at least 1, but is 0");
    public static readonly CallError NoSource = new(StatusCode.InvalidArgument, "the request has no source for the union; pass at least one");
    public static readonly CallError NoChoice = new(StatusCode.InvalidArgument, "the request does not select any elements; set a selection");
    public static readonly CallError UnknownOrder = new(StatusCode.InvalidArgument, "unknown order; it must be 0 (ascending) or 1 (descending)");
    public static readonly CallError UnknownAggregate = new(StatusCode.InvalidArgument, "unknown aggregate; it must be 0 (sum), 1 (min) or 2 (max)");
    public static readonly CallError TooManyElements = new(
        StatusCode.ResourceExhausted,
        $"request limit exceeded: one request may have at most {RequestItems.Most} elements; split it",
        "request_size_limit_exceeded");

    private static readonly CallError NotAnInteger = new(
        StatusCode.FailedPrecondition,
        "the field's value is not a 64-bit decimal integer, so it cannot be incremented");
    private static readonly CallError Overflow = new(
        StatusCode.FailedPrecondition,
        "the increment would overflow, or add infinity and minus infinity; the value was not changed");
    private static readonly CallError Full = new(
        StatusCode.ResourceExhausted,
        "item size limit exceeded: the collection would exceed its share of the server's memory; the collection was not changed",
        "item_size_limit_exceeded");

    public static readonly CallError TooManyInSources = new(
        StatusCode.ResourceExhausted,
        $"request limit exceeded: the sources have more than {Cache.MaxUnionElements} elements in total; nothing was changed",
        "request_size_limit_exceeded");

    /// <summary>Converts an outcome to an error. Returns null on success. A missing collection is not an error.</summary>
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
        _ => throw new ArgumentOutOfRangeException(nameof(outcome), outcome, "A collection call cannot have this outcome."),
    };

    public static CallError RequestTooLarge(long bytes, int limitBytes) =>
        new(
            StatusCode.ResourceExhausted,
            $"request limit exceeded: the name and the elements are {bytes} bytes, but at most {limitBytes} are allowed",
            "request_size_limit_exceeded");

    /// <param name="instead">The alternative that the error message suggests.</param>
    public static CallError AnswerTooLarge(string instead) =>
        new(
            StatusCode.ResourceExhausted,
            $"the response would exceed {CollectionAnswer.MaxBytes} bytes; nothing was changed; {instead}");
}
