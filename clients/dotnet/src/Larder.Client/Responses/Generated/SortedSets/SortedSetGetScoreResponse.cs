// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The response to sortedSetGetScore: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class SortedSetGetScoreResponse
{
    private SortedSetGetScoreResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The sorted set exists.</summary>
    public sealed class Hit : SortedSetGetScoreResponse
    {
        internal Hit(IReadOnlyList<double?> scores)
        {
            Scores = scores;
        }

        /// <summary>One entry for each requested element, in the same order; null if it is missing.</summary>
        public IReadOnlyList<double?> Scores { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Scores.Count} scores)";
    }

    /// <summary>The sorted set does not exist, or has expired.</summary>
    public sealed class Miss : SortedSetGetScoreResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SortedSetGetScoreResponse, ICacheFailure
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
