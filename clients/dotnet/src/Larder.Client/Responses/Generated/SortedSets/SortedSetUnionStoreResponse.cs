// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Globalization;

namespace Larder.Client;

/// <summary>The response to sortedSetUnionStore: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class SortedSetUnionStoreResponse
{
    private SortedSetUnionStoreResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The union is stored.</summary>
    public sealed class Success : SortedSetUnionStoreResponse
    {
        internal Success(int length)
        {
            Length = length;
        }

        /// <summary>The number of elements in the union; if it is 0, the sorted set no longer exists.</summary>
        public int Length { get; }

        /// <inheritdoc/>
        public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"Success ({Length})");
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SortedSetUnionStoreResponse, ICacheFailure
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
