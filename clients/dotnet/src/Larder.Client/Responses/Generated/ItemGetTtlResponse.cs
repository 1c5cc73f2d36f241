// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The response to itemGetTtl: <see cref="Found"/>, <see cref="Missing"/> or <see cref="Error"/>.</summary>
public abstract class ItemGetTtlResponse
{
    private ItemGetTtlResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The item exists.</summary>
    public sealed class Found : ItemGetTtlResponse
    {
        internal Found(TimeSpan remainingTtl)
        {
            RemainingTtl = remainingTtl;
        }

        /// <summary>The time until it expires, rounded down to milliseconds.</summary>
        public TimeSpan RemainingTtl { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Found ({RemainingTtl})";
    }

    /// <summary>The item does not exist, or has expired.</summary>
    public sealed class Missing : ItemGetTtlResponse
    {
        internal static readonly Missing Instance = new();

        private Missing()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : ItemGetTtlResponse, ICacheFailure
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
