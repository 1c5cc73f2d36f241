using System.Globalization;

namespace Larder.Client;

/// <summary>The answer of a sortedSetGetElementScore: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class SortedSetGetElementScoreResponse
{
    private SortedSetGetElementScoreResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    internal static SortedSetGetElementScoreResponse Of(SortedSetGetScoreResponse response) => response switch
    {
        SortedSetGetScoreResponse.Hit { Scores: [{ } score] } => new Hit(score),
        SortedSetGetScoreResponse.Hit { Scores.Count: 1 } or SortedSetGetScoreResponse.Miss => Miss.Instance,
        SortedSetGetScoreResponse.Error error => new Error(error.Failure),
        _ => new Error(new CacheError(CacheErrorCode.Internal, "The answer has not one part for the one that was asked for.")),
    };

    /// <summary>The sorted set has the element.</summary>
    public sealed class Hit : SortedSetGetElementScoreResponse
    {
        internal Hit(double score)
        {
            Score = score;
        }

        /// <summary>The element's score: a number, or infinite.</summary>
        public double Score { get; }

        /// <inheritdoc/>
        public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"Hit ({Score})");
    }

    /// <summary>The sorted set has no such element, does not exist, or has expired.</summary>
    public sealed class Miss : SortedSetGetElementScoreResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SortedSetGetElementScoreResponse, ICacheFailure
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
