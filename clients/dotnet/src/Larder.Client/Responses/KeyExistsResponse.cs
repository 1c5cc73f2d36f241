namespace Larder.Client;

/// <summary>The answer of a keyExists: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class KeyExistsResponse
{
    private KeyExistsResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The server looked.</summary>
    public sealed class Success : KeyExistsResponse
    {
        internal Success(bool exists)
        {
            Exists = exists;
        }

        /// <summary>True where the item exists.</summary>
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

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
