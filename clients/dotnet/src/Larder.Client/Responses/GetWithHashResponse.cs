using System.Text;

namespace Larder.Client;

/// <summary>The response to <c>GetWithHashAsync</c>: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class GetWithHashResponse
{
    private GetWithHashResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The item exists.</summary>
    public sealed class Hit : GetWithHashResponse
    {
        private readonly byte[] _value;

        internal Hit(byte[] value, byte[] hash)
        {
            _value = value;
            Hash = hash;
        }

        /// <summary>Gets the value's bytes, which no other caller shares.</summary>
        public ReadOnlyMemory<byte> Value => _value;

        /// <summary>Gets the value as text, decoded as UTF-8.</summary>
        public string ValueString => Encoding.UTF8.GetString(_value);

        /// <summary>Returns the value's bytes as an array, which the caller may keep and change.</summary>
        public byte[] ToArray() => _value;

        /// <summary>Gets the value's hash, computed by the server, for conditional sets by hash.</summary>
        public ReadOnlyMemory<byte> Hash { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({_value.Length} bytes)";
    }

    /// <summary>The item does not exist, or has expired.</summary>
    public sealed class Miss : GetWithHashResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : GetWithHashResponse, ICacheFailure
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
