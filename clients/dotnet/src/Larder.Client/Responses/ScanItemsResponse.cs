using System.Text;

namespace Larder.Client;

/// <summary>The response to <c>ScanItemsAsync</c>: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class ScanItemsResponse
{
    private ScanItemsResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>A page of a collection. The entries are in the list for the collection's type; the other lists are empty.</summary>
    public sealed class Hit : ScanItemsResponse
    {
        internal Hit(CacheItemType type, ReadOnlyMemory<byte> cursor)
        {
            Type = type;
            Cursor = cursor;
        }

        /// <summary>Gets the collection's type; never <see cref="CacheItemType.Scalar"/>.</summary>
        public CacheItemType Type { get; }

        /// <summary>Gets the cursor for the next call. Empty after the last page.</summary>
        public ReadOnlyMemory<byte> Cursor { get; }

        /// <summary>Gets the fields of a dictionary with their values, in no particular order.</summary>
        public IReadOnlyList<DictionaryField> Fields { get; internal init; } = [];

        /// <summary>Gets the elements of a set, in no particular order, or those of a list, in the list's order.</summary>
        public IReadOnlyList<ReadOnlyMemory<byte>> Elements { get; internal init; } = [];

        /// <summary>Gets the elements of a sorted set with their scores, in no particular order.</summary>
        public IReadOnlyList<ScoredElement> ScoredElements { get; internal init; } = [];

        /// <summary>Gets the number of entries on the page. It may be 0 although more pages follow.</summary>
        public int Count => Fields.Count + Elements.Count + ScoredElements.Count;

        /// <summary>Returns the elements of a set or a list as text, decoded as UTF-8. Each call decodes them again.</summary>
        public IReadOnlyList<string> ToStrings() => [.. Elements.Select(static each => Encoding.UTF8.GetString(each.Span))];

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Count} of a {Type})";
    }

    /// <summary>The key does not exist, has expired, or was removed after the previous page.</summary>
    public sealed class Miss : ScanItemsResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : ScanItemsResponse, ICacheFailure
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
