namespace Larder.Client;

/// <summary>The answer of a typed getOrCreate: always a value, and where it came from. <see cref="Hit"/>, <see cref="Created"/>, <see cref="Stale"/> or
/// <see cref="Uncached"/>.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public abstract class TypedGetOrCreateResponse<T>
{
    private TypedGetOrCreateResponse(T? value) => Value = value;

    /// <summary>The value, which no other caller has; null where null was stored or made.</summary>
    public T? Value { get; }

    /// <summary>The answer's name.</summary>
    public override string ToString() => GetType().Name;

    internal static TypedGetOrCreateResponse<T> Of(GetOrCreateResponse response, T? value) => response switch
    {
        GetOrCreateResponse.Hit => new Hit(value),
        GetOrCreateResponse.Stale stale => new Stale(value, stale.Expired),
        GetOrCreateResponse.Uncached uncached => new Uncached(value, uncached.Failure),
        _ => new Created(value),
    };

    /// <summary>The cache had it.</summary>
    public sealed class Hit : TypedGetOrCreateResponse<T>
    {
        internal Hit(T? value)
            : base(value)
        {
        }
    }

    /// <summary>The factory made it, and it is stored: as <see cref="GetOrCreateResponse.Created"/>.</summary>
    public sealed class Created : TypedGetOrCreateResponse<T>
    {
        internal Created(T? value)
            : base(value)
        {
        }
    }

    /// <summary>The cache had it, and it has expired: as <see cref="GetOrCreateResponse.Stale"/>.</summary>
    public sealed class Stale : TypedGetOrCreateResponse<T>
    {
        internal Stale(T? value, TimeSpan expired)
            : base(value) => Expired = expired;

        /// <summary>How long ago it expired.</summary>
        public TimeSpan Expired { get; }
    }

    /// <summary>The factory made it, and the cache could not be read or could not store it.</summary>
    public sealed class Uncached : TypedGetOrCreateResponse<T>, ICacheFailure
    {
        internal Uncached(T? value, CacheError failure)
            : base(value) => Failure = failure;

        /// <inheritdoc/>
        public CacheError Failure { get; }
    }
}
