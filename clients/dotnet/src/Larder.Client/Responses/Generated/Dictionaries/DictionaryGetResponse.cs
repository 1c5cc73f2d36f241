// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text;

namespace Larder.Client;

/// <summary>The response to dictionaryGet: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class DictionaryGetResponse
{
    private DictionaryGetResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The dictionary exists.</summary>
    public sealed class Hit : DictionaryGetResponse
    {
        internal Hit(IReadOnlyList<ReadOnlyMemory<byte>?> values)
        {
            Values = values;
        }

        /// <summary>One entry for each requested field, in the same order; null if it is missing.</summary>
        public IReadOnlyList<ReadOnlyMemory<byte>?> Values { get; }

        /// <summary>Returns the values as text, decoded as UTF-8 on each call.</summary>
        public IReadOnlyList<string?> ToStrings() => [.. Values.Select(static each => each is { } given ? Encoding.UTF8.GetString(given.Span) : null)];

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Values.Count} values)";
    }

    /// <summary>The dictionary does not exist, or has expired.</summary>
    public sealed class Miss : DictionaryGetResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : DictionaryGetResponse, ICacheFailure
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
