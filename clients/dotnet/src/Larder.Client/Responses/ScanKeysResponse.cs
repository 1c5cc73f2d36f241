namespace Larder.Client;

/// <summary>The answer of a scanKeys: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class ScanKeysResponse
{
    private ScanKeysResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>A page of keys.</summary>
    public sealed class Success : ScanKeysResponse
    {
        internal Success(IReadOnlyList<ScannedKey> keys, ReadOnlyMemory<byte> cursor)
        {
            Keys = keys;
            Cursor = cursor;
        }

        /// <summary>The keys, in no order that means anything; there may be none though more follow.</summary>
        public IReadOnlyList<ScannedKey> Keys { get; }

        /// <summary>What the next call is given; empty: this was the last page.</summary>
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

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
