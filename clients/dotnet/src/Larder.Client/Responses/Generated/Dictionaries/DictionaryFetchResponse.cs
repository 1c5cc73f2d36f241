// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The response to dictionaryFetch: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class DictionaryFetchResponse
{
    private DictionaryFetchResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The dictionary exists.</summary>
    public sealed class Hit : DictionaryFetchResponse
    {
        internal Hit(IReadOnlyList<DictionaryField> items)
        {
            Items = items;
        }

        /// <summary>All fields, read atomically.</summary>
        public IReadOnlyList<DictionaryField> Items { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Items.Count} items)";
    }

    /// <summary>The dictionary does not exist, or has expired.</summary>
    public sealed class Miss : DictionaryFetchResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : DictionaryFetchResponse, ICacheFailure
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
