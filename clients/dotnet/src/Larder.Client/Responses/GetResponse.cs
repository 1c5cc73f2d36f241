using System.Runtime.CompilerServices;
using System.Text;
using Larder.Client.Near;

namespace Larder.Client;

/// <summary>The answer of a get: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class GetResponse
{
    private GetResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The item exists.</summary>
    public sealed class Hit : GetResponse
    {
        // The caller's own byte[], or a SharedValue.
        private object _value;

        internal Hit(byte[] value)
        {
            _value = value;
        }

        /// <summary>The value's bytes.</summary>
        public ReadOnlyMemory<byte> Value => Bytes;

        /// <summary>The value as text: its bytes read as UTF-8.</summary>
        public string ValueString => Encoding.UTF8.GetString(Bytes);

        internal byte[] Bytes => _value is SharedValue shared ? shared.Bytes : Unsafe.As<byte[]>(_value);

        /// <summary>The value's bytes as an array, which the caller may keep and change.</summary>
        public byte[] ToArray() => _value is SharedValue shared ? [.. shared.Bytes] : Unsafe.As<byte[]>(_value);

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Bytes.Length} bytes)";

        /// <summary>Others are given the same answer from now on: nobody is given its array any more. Before its first caller has it.</summary>
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

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
