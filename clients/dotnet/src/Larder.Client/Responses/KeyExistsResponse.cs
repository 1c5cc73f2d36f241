namespace Larder.Client;

/// <summary>The response to <c>KeyExistsAsync</c>: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class KeyExistsResponse
{
    private KeyExistsResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The server returned whether the item exists.</summary>
    public sealed class Success : KeyExistsResponse
    {
        internal Success(bool exists)
        {
            Exists = exists;
        }

        /// <summary>Gets whether the item exists.</summary>
        public bool Exists { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Success ({Exists})";
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : KeyExistsResponse, ICacheFailure
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
