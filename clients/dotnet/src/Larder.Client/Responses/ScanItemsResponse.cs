using System.Text;

namespace Larder.Client;

/// <summary>The answer of a scanItems: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class ScanItemsResponse
{
    private ScanItemsResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>A page of a collection. By its type, what it has is in one of the three lists; the others are empty.</summary>
    public sealed class Hit : ScanItemsResponse
    {
        internal Hit(CacheItemType type, ReadOnlyMemory<byte> cursor)
        {
            Type = type;
            Cursor = cursor;
        }

        /// <summary>What the collection is; never <see cref="CacheItemType.Scalar"/>.</summary>
        public CacheItemType Type { get; }

        /// <summary>What the next call is given; empty: this was the last page.</summary>
        public ReadOnlyMemory<byte> Cursor { get; }

        /// <summary>Of a dictionary: fields with their values, in no order that means anything.</summary>
        public IReadOnlyList<DictionaryField> Fields { get; internal init; } = [];

        /// <summary>Of a set: elements, in no order that means anything. Of a list: elements in its order.</summary>
        public IReadOnlyList<ReadOnlyMemory<byte>> Elements { get; internal init; } = [];

        /// <summary>Of a sorted set: elements with their scores, in no order that means anything.</summary>
        public IReadOnlyList<ScoredElement> ScoredElements { get; internal init; } = [];

        /// <summary>How many the page has; there may be none though more follow.</summary>
        public int Count => Fields.Count + Elements.Count + ScoredElements.Count;

        /// <summary>The elements of a set or a list as text: their bytes read as UTF-8, anew each time.</summary>
        public IReadOnlyList<string> ToStrings() => [.. Elements.Select(static each => Encoding.UTF8.GetString(each.Span))];

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Count} of a {Type})";
    }

    /// <summary>There is no such key: it never was, has expired, or went since the page before.</summary>
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

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
