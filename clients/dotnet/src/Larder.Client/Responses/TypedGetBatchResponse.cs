namespace Larder.Client;

/// <summary>The answer of a typed getBatch: <see cref="Success"/> or <see cref="Error"/>.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public abstract class TypedGetBatchResponse<T>
{
    private TypedGetBatchResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The server answered for each key.</summary>
    public sealed class Success : TypedGetBatchResponse<T>
    {
        internal Success(IReadOnlyList<TypedGetResponse<T>> responses) => Responses = responses;

        /// <summary>One answer for each key, in the order asked.</summary>
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

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
