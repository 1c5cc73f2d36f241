namespace Larder.Client;

/// <summary>The answer of a setBatch: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class SetBatchResponse
{
    private SetBatchResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The server answered for each item.</summary>
    public sealed class Success : SetBatchResponse
    {
        internal Success(IReadOnlyList<SetResponse> responses)
        {
            Responses = responses;
        }

        /// <summary>One answer for each item, in the order given.</summary>
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

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
