namespace Larder.Client;

/// <summary>The response to <c>SetBatchAsync</c>: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class SetBatchResponse
{
    private SetBatchResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The server returned a result for each item.</summary>
    public sealed class Success : SetBatchResponse
    {
        internal Success(IReadOnlyList<SetResponse> responses)
        {
            Responses = responses;
        }

        /// <summary>Gets one result for each item, in the order of the request.</summary>
        public IReadOnlyList<SetResponse> Responses { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Success ({Responses.Count} answers)";
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SetBatchResponse, ICacheFailure
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
