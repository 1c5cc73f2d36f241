namespace Larder.Client;

/// <summary>The result of a <c>GetOrCreateAsync</c> call. It always contains a value. <see cref="Source"/> indicates where the value came from.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public abstract class GetOrCreateResult<T> : ICacheResult
{
    private protected GetOrCreateResult(object? origin) => Origin = origin;

    /// <summary>
    /// Gets the value. The caller may change it, because it is not shared with other callers. Exception: a typed cache that keeps objects
    /// (<see cref="TypedCacheOptions.KeepObjects"/>) may return the same object to all callers, which must not change it.
    /// </summary>
    public abstract T Value { get; }

    /// <summary>Gets where the value came from.</summary>
    public GetOrCreateSource Source => Origin switch
    {
        null => GetOrCreateSource.Hit,
        TimeSpan => GetOrCreateSource.Stale,
        CacheError => GetOrCreateSource.Uncached,
        _ => GetOrCreateSource.Created,
    };

    /// <summary>Gets how long ago a stale value expired, or null if the value is not stale.</summary>
    public TimeSpan? Expired => Origin as TimeSpan?;

    /// <summary>
    /// Gets the error of the get or the set that failed if <see cref="Source"/> is <see cref="GetOrCreateSource.Uncached"/>. Null for all other sources.
    /// </summary>
    public CacheError? Error => Origin as CacheError;

    // Encodes the source. Null means that the value was in the cache. A boxed TimeSpan means that the value is stale, and is the time since the value expired.
    // A CacheError means that the value was created but not stored. Any other object means that the value was created and stored.
    internal object? Origin { get; }
}
