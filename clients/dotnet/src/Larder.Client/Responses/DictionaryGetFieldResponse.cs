using System.Text;

namespace Larder.Client;

/// <summary>The response to <c>DictionaryGetFieldAsync</c>: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class DictionaryGetFieldResponse
{
    private DictionaryGetFieldResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The dictionary contains the field.</summary>
    public sealed class Hit : DictionaryGetFieldResponse
    {
        internal Hit(ReadOnlyMemory<byte> value)
        {
            Value = value;
        }

        /// <summary>Gets the field's value.</summary>
        public ReadOnlyMemory<byte> Value { get; }

        /// <summary>Gets the value as text, decoded as UTF-8.</summary>
        public string ValueString => Encoding.UTF8.GetString(Value.Span);

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Value.Length} bytes)";
    }

    /// <summary>The field or the dictionary does not exist, or has expired.</summary>
    public sealed class Miss : DictionaryGetFieldResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : DictionaryGetFieldResponse, ICacheFailure
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
