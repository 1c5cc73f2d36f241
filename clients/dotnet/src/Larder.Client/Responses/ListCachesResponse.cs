namespace Larder.Client;

/// <summary>The response to <c>ListCachesAsync</c>: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class ListCachesResponse
{
    private ListCachesResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The server returned its caches.</summary>
    public sealed class Success : ListCachesResponse
    {
        internal Success(IReadOnlyList<CacheInfo> caches)
        {
            Caches = caches;
        }

        /// <summary>Gets one entry for each cache.</summary>
        public IReadOnlyList<CacheInfo> Caches { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Success ({Caches.Count} caches)";
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : ListCachesResponse, ICacheFailure
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
