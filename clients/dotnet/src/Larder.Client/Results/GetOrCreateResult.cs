namespace Larder.Client;

/// <summary>The result of a <c>GetOrCreateAsync</c>: always a value. <see cref="Source"/> says where it came from.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public abstract class GetOrCreateResult<T> : ICacheResult
{
    private protected GetOrCreateResult(object? origin) => Origin = origin;

    /// <summary>Gets the value, which no other caller shares.</summary>
    public abstract T Value { get; }

    /// <summary>Gets where the value came from.</summary>
    public GetOrCreateSource Source => Origin switch
    {
        null => GetOrCreateSource.Hit,
        TimeSpan => GetOrCreateSource.Stale,
        CacheError => GetOrCreateSource.Uncached,
        _ => GetOrCreateSource.Created,
    };

    /// <summary>Gets how long ago a stale value expired, or null.</summary>
    public TimeSpan? Expired => Origin as TimeSpan?;

    /// <summary>Gets why the cache could not be read or could not store the value, or null.</summary>
    public CacheError? Error => Origin as CacheError;

    // Null: from the cache; a boxed TimeSpan: expired that long ago; a CacheError: not stored; any other object: created and stored.
    internal object? Origin { get; }
}
