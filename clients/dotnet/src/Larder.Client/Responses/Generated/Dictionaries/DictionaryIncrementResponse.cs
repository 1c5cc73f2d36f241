// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Globalization;

namespace Larder.Client;

/// <summary>The response to dictionaryIncrement: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class DictionaryIncrementResponse
{
    private DictionaryIncrementResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The field was incremented.</summary>
    public sealed class Success : DictionaryIncrementResponse
    {
        internal Success(long value)
        {
            Value = value;
        }

        /// <summary>The field's value after the increment.</summary>
        public long Value { get; }

        /// <inheritdoc/>
        public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"Success ({Value})");
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : DictionaryIncrementResponse, ICacheFailure
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
