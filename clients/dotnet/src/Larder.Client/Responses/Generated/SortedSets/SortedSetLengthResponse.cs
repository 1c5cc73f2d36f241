// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Globalization;

namespace Larder.Client;

/// <summary>The answer of sortedSetLength: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class SortedSetLengthResponse
{
    private SortedSetLengthResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The sorted set exists.</summary>
    public sealed class Hit : SortedSetLengthResponse
    {
        internal Hit(int length)
        {
            Length = length;
        }

        /// <summary>The number of elements.</summary>
        public int Length { get; }

        /// <inheritdoc/>
        public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"Hit ({Length})");
    }

    /// <summary>The sorted set does not exist, or has expired.</summary>
    public sealed class Miss : SortedSetLengthResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SortedSetLengthResponse, ICacheFailure
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
