// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text;

namespace Larder.Client;

/// <summary>The answer of dictionaryGet: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class DictionaryGetResponse
{
    private DictionaryGetResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The dictionary exists.</summary>
    public sealed class Hit : DictionaryGetResponse
    {
        internal Hit(IReadOnlyList<ReadOnlyMemory<byte>?> values)
        {
            Values = values;
        }

        /// <summary>One part for each requested field, in that order; null where it is missing.</summary>
        public IReadOnlyList<ReadOnlyMemory<byte>?> Values { get; }

        /// <summary>The values as text: their bytes read as UTF-8, anew each time.</summary>
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

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
