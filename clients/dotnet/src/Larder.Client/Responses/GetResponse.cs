using System.Runtime.CompilerServices;
using System.Text;
using Larder.Client.Near;

namespace Larder.Client;

/// <summary>The response to <c>GetAsync</c>: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class GetResponse
{
    private GetResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The item exists.</summary>
    public sealed class Hit : GetResponse
    {
        // A byte[] that only this caller has, or a SharedValue.
        private object _value;

        internal Hit(byte[] value)
        {
            _value = value;
        }

        /// <summary>Gets the value's bytes.</summary>
        public ReadOnlyMemory<byte> Value => Bytes;

        /// <summary>Gets the value as text, decoded as UTF-8.</summary>
        public string ValueString => Encoding.UTF8.GetString(Bytes);

        internal byte[] Bytes => _value is SharedValue shared ? shared.Bytes : Unsafe.As<byte[]>(_value);

        /// <summary>Returns the value's bytes as an array, which the caller may keep and change.</summary>
        public byte[] ToArray() => _value is SharedValue shared ? [.. shared.Bytes] : Unsafe.As<byte[]>(_value);

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Bytes.Length} bytes)";

        /// <summary>
        /// Marks this response as shared with other callers, so that its array is never handed out again. Must run before the first caller has the response.
        /// </summary>
        internal void Share() => _value = new SharedValue(Bytes);
    }

    /// <summary>The item does not exist, or has expired.</summary>
    public sealed class Miss : GetResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : GetResponse, ICacheFailure
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
