namespace Larder.Client;

/// <summary>The answer of a listCaches: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class ListCachesResponse
{
    private ListCachesResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The caches that exist.</summary>
    public sealed class Success : ListCachesResponse
    {
        internal Success(IReadOnlyList<CacheInfo> caches)
        {
            Caches = caches;
        }

        /// <summary>One entry for each cache.</summary>
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

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
