// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The response to itemGetType: <see cref="Found"/>, <see cref="Missing"/> or <see cref="Error"/>.</summary>
public abstract class ItemGetTypeResponse
{
    private ItemGetTypeResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The item exists.</summary>
    public sealed class Found : ItemGetTypeResponse
    {
        internal Found(CacheItemType type)
        {
            Type = type;
        }

        /// <summary>The type of the item.</summary>
        public CacheItemType Type { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Found ({Type})";
    }

    /// <summary>The item does not exist, or has expired.</summary>
    public sealed class Missing : ItemGetTypeResponse
    {
        internal static readonly Missing Instance = new();

        private Missing()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : ItemGetTypeResponse, ICacheFailure
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
