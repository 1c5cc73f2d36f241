namespace Larder.Client;

/// <summary>The response to a typed <c>GetBatchAsync</c>: <see cref="Success"/> or <see cref="Error"/>.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public abstract class TypedGetBatchResponse<T>
{
    private TypedGetBatchResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The server returned a result for each key.</summary>
    public sealed class Success : TypedGetBatchResponse<T>
    {
        internal Success(IReadOnlyList<TypedGetResponse<T>> responses) => Responses = responses;

        /// <summary>Gets one result for each key, in the order of the request.</summary>
        public IReadOnlyList<TypedGetResponse<T>> Responses { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Success ({Responses.Count} answers)";
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : TypedGetBatchResponse<T>, ICacheFailure
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
