// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The response to createCache: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class CreateCacheResponse
{
    private CreateCacheResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The cache was created.</summary>
    public sealed class Success : CreateCacheResponse
    {
        internal static readonly Success Instance = new();

        private Success()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : CreateCacheResponse, ICacheFailure
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
