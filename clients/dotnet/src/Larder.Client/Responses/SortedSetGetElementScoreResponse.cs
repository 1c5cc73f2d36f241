using System.Globalization;

namespace Larder.Client;

/// <summary>The response to <c>SortedSetGetElementScoreAsync</c>: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class SortedSetGetElementScoreResponse
{
    private SortedSetGetElementScoreResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    internal static SortedSetGetElementScoreResponse Of(SortedSetGetScoreResponse response) => response switch
    {
        SortedSetGetScoreResponse.Hit { Scores: [{ } score] } => new Hit(score),
        SortedSetGetScoreResponse.Hit { Scores.Count: 1 } or SortedSetGetScoreResponse.Miss => Miss.Instance,
        SortedSetGetScoreResponse.Error error => new Error(error.Failure),
        _ => new Error(new CacheError(CacheErrorCode.Internal, "The answer has not one part for the one that was asked for.")),
    };

    /// <summary>The sorted set contains the element.</summary>
    public sealed class Hit : SortedSetGetElementScoreResponse
    {
        internal Hit(double score)
        {
            Score = score;
        }

        /// <summary>Gets the element's score: a number, finite or infinite.</summary>
        public double Score { get; }

        /// <inheritdoc/>
        public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"Hit ({Score})");
    }

    /// <summary>The element or the sorted set does not exist, or has expired.</summary>
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

        /// <summary>Gets the error code. Base decisions on it.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>Gets all details in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
