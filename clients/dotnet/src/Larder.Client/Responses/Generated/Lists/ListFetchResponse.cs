// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text;

namespace Larder.Client;

/// <summary>The response to listFetch: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class ListFetchResponse
{
    private ListFetchResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The list exists, and the slice has an element.</summary>
    public sealed class Hit : ListFetchResponse
    {
        internal Hit(IReadOnlyList<ReadOnlyMemory<byte>> values)
        {
            Values = values;
        }

        /// <summary>The elements.</summary>
        public IReadOnlyList<ReadOnlyMemory<byte>> Values { get; }

        /// <summary>Returns the values as text, decoded as UTF-8 on each call.</summary>
        public IReadOnlyList<string> ToStrings() => [.. Values.Select(static each => Encoding.UTF8.GetString(each.Span))];

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Values.Count} values)";
    }

    /// <summary>The list does not exist or has expired, or the slice is empty.</summary>
    public sealed class Miss : ListFetchResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : ListFetchResponse, ICacheFailure
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
