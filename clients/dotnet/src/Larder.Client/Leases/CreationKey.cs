namespace Larder.Client.Leases;

/// <summary>Identifies a load in progress.</summary>
/// <param name="Cache">The cache's name.</param>
/// <param name="Key">The item's key.</param>
/// <param name="Codec">The type of the codec, or null for plain bytes.</param>
/// <param name="Stale">
/// When callers accept a stale value. Callers with other options do not share the load, because they could get a stale value that they do not accept, or wait
/// longer than their soft timeout. With leases, they wait for the same factory nevertheless.
/// </param>
internal readonly record struct CreationKey(string Cache, CacheBytes Key, Type? Codec, StaleOptions Stale);

/// <summary>When a caller accepts a stale value.</summary>
internal readonly record struct StaleOptions(TimeSpan RevalidateFor, TimeSpan FailSafeFor, TimeSpan? SoftTimeout)
{
    /// <summary>Returns the options of a call. Without options, no stale value is accepted.</summary>
    public static StaleOptions Of(GetOrCreateOptions? options) =>
        options is null ? default : new StaleOptions(options.RevalidateFor, options.FailSafeFor, options.SoftTimeout);
}
