// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The response to every <c>SetIfHash</c>: <see cref="Stored"/>, <see cref="NotStored"/> or <see cref="Error"/>.</summary>
public abstract class SetIfHashResponse
{
    private SetIfHashResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The condition held, and the value is stored.</summary>
    public sealed class Stored : SetIfHashResponse
    {
        internal Stored(ReadOnlyMemory<byte> hash)
        {
            Hash = hash;
        }

        /// <summary>The hash of the value now stored.</summary>
        public ReadOnlyMemory<byte> Hash { get; }
    }

    /// <summary>The condition did not hold; the item is unchanged.</summary>
    public sealed class NotStored : SetIfHashResponse
    {
        internal static readonly NotStored Instance = new();

        private NotStored()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SetIfHashResponse, ICacheFailure
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
