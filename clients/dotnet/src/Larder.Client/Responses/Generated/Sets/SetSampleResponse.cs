// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text;

namespace Larder.Client;

/// <summary>The response to setSample: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class SetSampleResponse
{
    private SetSampleResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The set exists.</summary>
    public sealed class Hit : SetSampleResponse
    {
        internal Hit(IReadOnlyList<ReadOnlyMemory<byte>> elements)
        {
            Elements = elements;
        }

        /// <summary>The elements.</summary>
        public IReadOnlyList<ReadOnlyMemory<byte>> Elements { get; }

        /// <summary>Returns the elements as text, decoded as UTF-8 on each call.</summary>
        public IReadOnlyList<string> ToStrings() => [.. Elements.Select(static each => Encoding.UTF8.GetString(each.Span))];

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Elements.Count} elements)";
    }

    /// <summary>The set does not exist, or has expired.</summary>
    public sealed class Miss : SetSampleResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SetSampleResponse, ICacheFailure
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
