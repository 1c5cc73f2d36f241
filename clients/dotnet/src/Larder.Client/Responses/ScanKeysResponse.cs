namespace Larder.Client;

/// <summary>The response to <c>ScanKeysAsync</c>: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class ScanKeysResponse
{
    private ScanKeysResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>A page of keys.</summary>
    public sealed class Success : ScanKeysResponse
    {
        internal Success(IReadOnlyList<ScannedKey> keys, ReadOnlyMemory<byte> cursor)
        {
            Keys = keys;
            Cursor = cursor;
        }

        /// <summary>Gets the keys, in no particular order. The list may be empty although more pages follow.</summary>
        public IReadOnlyList<ScannedKey> Keys { get; }

        /// <summary>Gets the cursor for the next call. Empty after the last page.</summary>
        public ReadOnlyMemory<byte> Cursor { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Success ({Keys.Count} keys)";
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : ScanKeysResponse, ICacheFailure
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
