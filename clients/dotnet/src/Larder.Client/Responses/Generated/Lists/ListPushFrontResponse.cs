// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Globalization;

namespace Larder.Client;

/// <summary>The response to listPushFront: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class ListPushFrontResponse
{
    private ListPushFrontResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The element was added.</summary>
    public sealed class Success : ListPushFrontResponse
    {
        internal Success(int length)
        {
            Length = length;
        }

        /// <summary>The number of elements afterwards.</summary>
        public int Length { get; }

        /// <inheritdoc/>
        public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"Success ({Length})");
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : ListPushFrontResponse, ICacheFailure
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
