using System.Text;

namespace Larder.Client;

/// <summary>The answer of a dictionaryGetField: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class DictionaryGetFieldResponse
{
    private DictionaryGetFieldResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The dictionary has the field.</summary>
    public sealed class Hit : DictionaryGetFieldResponse
    {
        internal Hit(ReadOnlyMemory<byte> value)
        {
            Value = value;
        }

        /// <summary>The field's value.</summary>
        public ReadOnlyMemory<byte> Value { get; }

        /// <summary>The value as text: its bytes read as UTF-8.</summary>
        public string ValueString => Encoding.UTF8.GetString(Value.Span);

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Value.Length} bytes)";
    }

    /// <summary>The dictionary has no such field, does not exist, or has expired.</summary>
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

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
