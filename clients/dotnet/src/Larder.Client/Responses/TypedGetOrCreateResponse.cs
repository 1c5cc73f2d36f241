namespace Larder.Client;

/// <summary>
/// The response to a typed <c>GetOrCreateAsync</c>: always a value. The type says where it came from: <see cref="Hit"/>, <see cref="Created"/>,
/// <see cref="Stale"/> or <see cref="Uncached"/>.
/// </summary>
/// <typeparam name="T">The type of the values.</typeparam>
public abstract class TypedGetOrCreateResponse<T>
{
    private TypedGetOrCreateResponse(T? value) => Value = value;

    /// <summary>Gets the value, which no other caller shares. Null if null was stored or created.</summary>
    public T? Value { get; }

    /// <summary>Returns the response's type.</summary>
    public override string ToString() => GetType().Name;

    internal static TypedGetOrCreateResponse<T> Of(GetOrCreateResponse response, T? value) => response switch
    {
        GetOrCreateResponse.Hit => new Hit(value),
        GetOrCreateResponse.Stale stale => new Stale(value, stale.Expired),
        GetOrCreateResponse.Uncached uncached => new Uncached(value, uncached.Failure),
        _ => new Created(value),
    };

    /// <summary>The value was in the cache.</summary>
    public sealed class Hit : TypedGetOrCreateResponse<T>
    {
        internal Hit(T? value)
            : base(value)
        {
        }
    }

    /// <summary>The factory created the value, and it is stored: as <see cref="GetOrCreateResponse.Created"/>.</summary>
    public sealed class Created : TypedGetOrCreateResponse<T>
    {
        internal Created(T? value)
            : base(value)
        {
        }
    }

    /// <summary>The value was in the cache and has expired: as <see cref="GetOrCreateResponse.Stale"/>.</summary>
    public sealed class Stale : TypedGetOrCreateResponse<T>
    {
        internal Stale(T? value, TimeSpan expired)
            : base(value) => Expired = expired;

        /// <summary>Gets how long ago the value expired.</summary>
        public TimeSpan Expired { get; }
    }

    /// <summary>The factory created the value, and the cache could not be read or could not store it.</summary>
    public sealed class Uncached : TypedGetOrCreateResponse<T>, ICacheFailure
    {
        internal Uncached(T? value, CacheError failure)
            : base(value) => Failure = failure;

        /// <inheritdoc/>
        public CacheError Failure { get; }
    }
}
