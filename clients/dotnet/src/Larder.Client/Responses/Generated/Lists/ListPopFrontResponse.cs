// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text;

namespace Larder.Client;

/// <summary>The response to listPopFront: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class ListPopFrontResponse
{
    private ListPopFrontResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The list exists.</summary>
    public sealed class Hit : ListPopFrontResponse
    {
        internal Hit(ReadOnlyMemory<byte> value, int length)
        {
            Value = value;
            Length = length;
        }

        /// <summary>The element that was removed.</summary>
        public ReadOnlyMemory<byte> Value { get; }

        /// <summary>Gets the value as text, decoded as UTF-8.</summary>
        public string ValueString => Encoding.UTF8.GetString(Value.Span);

        /// <summary>The number of elements afterwards.</summary>
        public int Length { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Value.Length} bytes)";
    }

    /// <summary>The list does not exist, or has expired.</summary>
    public sealed class Miss : ListPopFrontResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : ListPopFrontResponse, ICacheFailure
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
