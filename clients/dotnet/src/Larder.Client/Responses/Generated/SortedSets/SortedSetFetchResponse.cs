// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The response to sortedSetFetchByRank and sortedSetFetchByScore: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class SortedSetFetchResponse
{
    private SortedSetFetchResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The sorted set exists.</summary>
    public sealed class Hit : SortedSetFetchResponse
    {
        internal Hit(IReadOnlyList<ScoredElement> elements)
        {
            Elements = elements;
        }

        /// <summary>The elements with their scores, in the requested order.</summary>
        public IReadOnlyList<ScoredElement> Elements { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Elements.Count} elements)";
    }

    /// <summary>The sorted set does not exist, or has expired.</summary>
    public sealed class Miss : SortedSetFetchResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SortedSetFetchResponse, ICacheFailure
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
