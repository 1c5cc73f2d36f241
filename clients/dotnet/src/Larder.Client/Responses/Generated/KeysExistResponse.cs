// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The response to keysExist: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class KeysExistResponse
{
    private KeysExistResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The items were checked.</summary>
    public sealed class Success : KeysExistResponse
    {
        internal Success(IReadOnlyList<bool> exists)
        {
            Exists = exists;
        }

        /// <summary>Whether the item of each key exists, in the order of the keys.</summary>
        public IReadOnlyList<bool> Exists { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Success ({Exists.Count} answers)";
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : KeysExistResponse, ICacheFailure
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
