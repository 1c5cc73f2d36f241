using System.Text;

namespace Larder.Client;

/// <summary>
/// The response to <c>GetOrCreateAsync</c>: always a value. The type says where it came from: <see cref="Hit"/>, <see cref="Created"/>, <see cref="Stale"/> or
/// <see cref="Uncached"/>.
/// </summary>
public abstract class GetOrCreateResponse
{
    private readonly byte[] _value;

    private GetOrCreateResponse(byte[] value) => _value = value;

    /// <summary>Gets the value's bytes, which no other caller shares.</summary>
    public ReadOnlyMemory<byte> Value => _value;

    /// <summary>Gets the value as text, decoded as UTF-8.</summary>
    public string ValueString => Encoding.UTF8.GetString(_value);

    /// <summary>The value as a typed cache decoded it, if it is known. No other caller shares it.</summary>
    internal object? Read { get; init; }

    internal abstract GetOrCreateResponse Copy();

    /// <summary>Returns the response's type and the value's length.</summary>
    public override string ToString() => $"{GetType().Name} ({_value.Length} bytes)";

    /// <summary>The value was in the cache.</summary>
    public sealed class Hit : GetOrCreateResponse
    {
        internal Hit(byte[] value)
            : base(value)
        {
        }

        internal override GetOrCreateResponse Copy() => new Hit([.. _value]);
    }

    /// <summary>
    /// The factory created the value, and it is stored. With a lease it is not stored if the key was written meanwhile or the lease had ended.
    /// </summary>
    public sealed class Created : GetOrCreateResponse
    {
        internal Created(byte[] value)
            : base(value)
        {
        }

        internal override GetOrCreateResponse Copy() => new Created([.. _value]);
    }

    /// <summary>
    /// The value was in the cache and has expired. <see cref="GetOrCreateOptions.RevalidateFor"/> and <see cref="GetOrCreateOptions.FailSafeFor"/> control when
    /// it is returned.
    /// </summary>
    public sealed class Stale : GetOrCreateResponse
    {
        internal Stale(byte[] value, TimeSpan expired)
            : base(value) => Expired = expired;

        /// <summary>Gets how long ago the value expired.</summary>
        public TimeSpan Expired { get; }

        internal override GetOrCreateResponse Copy() => new Stale([.. _value], Expired);
    }

    /// <summary>The factory created the value, and the cache could not be read or could not store it.</summary>
    public sealed class Uncached : GetOrCreateResponse, ICacheFailure
    {
        internal Uncached(byte[] value, CacheError failure)
            : base(value) => Failure = failure;

        /// <inheritdoc/>
        public CacheError Failure { get; }

        internal override GetOrCreateResponse Copy() => new Uncached([.. _value], Failure);
    }
}
