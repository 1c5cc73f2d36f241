namespace Larder.Client;

/// <summary>The response to <c>SetAsync</c>: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class SetResponse
{
    private SetResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The value is stored.</summary>
    public sealed class Success : SetResponse
    {
        internal static readonly Success Instance = new();

        private Success()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SetResponse, ICacheFailure
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
