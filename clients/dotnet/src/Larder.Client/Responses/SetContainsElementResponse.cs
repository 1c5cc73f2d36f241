namespace Larder.Client;

/// <summary>The response to <c>SetContainsElementAsync</c>: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class SetContainsElementResponse
{
    private SetContainsElementResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    internal static SetContainsElementResponse Of(SetContainsResponse response) => response switch
    {
        SetContainsResponse.Hit { Contains: [bool contains] } => new Hit(contains),
        SetContainsResponse.Miss => Miss.Instance,
        SetContainsResponse.Error error => new Error(error.Failure),
        _ => new Error(new CacheError(CacheErrorCode.Internal, "The answer has not one part for the one that was asked for.")),
    };

    /// <summary>The set exists.</summary>
    public sealed class Hit : SetContainsElementResponse
    {
        internal Hit(bool contains)
        {
            Contains = contains;
        }

        /// <summary>Gets whether the set contains the element.</summary>
        public bool Contains { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Contains})";
    }

    /// <summary>The set does not exist, or has expired.</summary>
    public sealed class Miss : SetContainsElementResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SetContainsElementResponse, ICacheFailure
    {
        internal Error(CacheError failure) => Failure = failure;

        /// <inheritdoc/>
        public CacheError Failure { get; }

        /// <summary>Gets the error code. Base decisions on it.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>Gets all details in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
