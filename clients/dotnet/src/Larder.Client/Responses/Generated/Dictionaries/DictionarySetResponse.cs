// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The response to dictionarySet: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class DictionarySetResponse
{
    private DictionarySetResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The fields are stored.</summary>
    public sealed class Success : DictionarySetResponse
    {
        internal static readonly Success Instance = new();

        private Success()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : DictionarySetResponse, ICacheFailure
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
