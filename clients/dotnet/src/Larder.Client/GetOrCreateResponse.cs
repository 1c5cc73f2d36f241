using System.Text;

namespace Larder.Client;

/// <summary>The answer of a getOrCreate: always a value, and where it came from. <see cref="Hit"/>, <see cref="Created"/> or <see cref="Uncached"/>.</summary>
public abstract class GetOrCreateResponse
{
    private readonly byte[] _value;

    private GetOrCreateResponse(byte[] value) => _value = value;

    /// <summary>The value's bytes; the caller's own.</summary>
    public ReadOnlyMemory<byte> Value => _value;

    /// <summary>The value as text: its bytes read as UTF-8.</summary>
    public string ValueString => Encoding.UTF8.GetString(_value);

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

    /// <summary>The factory made it, and it is stored.</summary>
    public sealed class Created : GetOrCreateResponse
    {
        internal Created(byte[] value)
            : base(value)
        {
        }

        internal override GetOrCreateResponse Copy() => new Created([.. _value]);
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
