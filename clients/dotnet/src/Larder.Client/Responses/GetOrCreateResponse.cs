using System.Text;

namespace Larder.Client;

/// <summary>The answer of a getOrCreate: always a value, and where it came from. <see cref="Hit"/>, <see cref="Created"/>, <see cref="Stale"/> or
/// <see cref="Uncached"/>.</summary>
public abstract class GetOrCreateResponse
{
    private readonly byte[] _value;

    private GetOrCreateResponse(byte[] value) => _value = value;

    /// <summary>The value's bytes; the caller's own.</summary>
    public ReadOnlyMemory<byte> Value => _value;

    /// <summary>The value as text: its bytes read as UTF-8.</summary>
    public string ValueString => Encoding.UTF8.GetString(_value);

    /// <summary>What the value means to a typed cache, where that is known; one caller's alone.</summary>
    internal object? Read { get; init; }

    internal abstract GetOrCreateResponse Copy();

    /// <summary>The answer's name and the value's length.</summary>
    public override string ToString() => $"{GetType().Name} ({_value.Length} bytes)";

    /// <summary>The cache had it.</summary>
    public sealed class Hit : GetOrCreateResponse
    {
        internal Hit(byte[] value)
            : base(value)
        {
        }

        internal override GetOrCreateResponse Copy() => new Hit([.. _value]);
    }

    /// <summary>The factory made it, and it is stored; with a lease, unless something was written under the key meanwhile, or the lease was over.</summary>
    public sealed class Created : GetOrCreateResponse
    {
        internal Created(byte[] value)
            : base(value)
        {
        }

        internal override GetOrCreateResponse Copy() => new Created([.. _value]);
    }

    /// <summary>
    /// The cache had it, and it has expired: <see cref="GetOrCreateOptions.RevalidateFor"/> and <see cref="GetOrCreateOptions.FailSafeFor"/> say when that is
    /// answered.
    /// </summary>
    public sealed class Stale : GetOrCreateResponse
    {
        internal Stale(byte[] value, TimeSpan expired)
            : base(value) => Expired = expired;

        /// <summary>How long ago it expired.</summary>
        public TimeSpan Expired { get; }

        internal override GetOrCreateResponse Copy() => new Stale([.. _value], Expired);
    }

    /// <summary>The factory made it, and the cache could not be read or could not store it.</summary>
    public sealed class Uncached : GetOrCreateResponse, ICacheFailure
    {
        internal Uncached(byte[] value, CacheError failure)
            : base(value) => Failure = failure;

        /// <inheritdoc/>
        public CacheError Failure { get; }

        internal override GetOrCreateResponse Copy() => new Uncached([.. _value], Failure);
    }
}
