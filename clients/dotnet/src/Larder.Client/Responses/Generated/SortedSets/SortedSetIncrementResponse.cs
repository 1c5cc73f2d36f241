// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Globalization;

namespace Larder.Client;

/// <summary>The response to sortedSetIncrement: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class SortedSetIncrementResponse
{
    private SortedSetIncrementResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The score was incremented.</summary>
    public sealed class Success : SortedSetIncrementResponse
    {
        internal Success(double score)
        {
            Score = score;
        }

        /// <summary>The score after the increment.</summary>
        public double Score { get; }

        /// <inheritdoc/>
        public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"Success ({Score})");
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SortedSetIncrementResponse, ICacheFailure
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
