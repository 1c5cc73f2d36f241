// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text;

namespace Larder.Client;

/// <summary>The response to updateTtlIfPrefix: <see cref="Set"/>, <see cref="Different"/>, <see cref="Missing"/> or <see cref="Error"/>.</summary>
public abstract class UpdateTtlIfPrefixResponse
{
    private UpdateTtlIfPrefixResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The TTL was changed.</summary>
    public sealed class Set : UpdateTtlIfPrefixResponse
    {
        internal static readonly Set Instance = new();

        private Set()
        {
        }
    }

    /// <summary>The value begins with other bytes; the item is unchanged.</summary>
    public sealed class Different : UpdateTtlIfPrefixResponse
    {
        internal Different(ReadOnlyMemory<byte> prefix)
        {
            Prefix = prefix;
        }

        /// <summary>The value's first 64 bytes, or all of a shorter value.</summary>
        public ReadOnlyMemory<byte> Prefix { get; }

        /// <summary>Gets the prefix as text, decoded as UTF-8.</summary>
        public string PrefixString => Encoding.UTF8.GetString(Prefix.Span);

        /// <inheritdoc/>
        public override string ToString() => $"Different ({Prefix.Length} bytes)";
    }

    /// <summary>The item does not exist, or has expired.</summary>
    public sealed class Missing : UpdateTtlIfPrefixResponse
    {
        internal static readonly Missing Instance = new();

        private Missing()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : UpdateTtlIfPrefixResponse, ICacheFailure
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
