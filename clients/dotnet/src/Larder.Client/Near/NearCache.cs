namespace Larder.Client;

/// <summary>
/// The settings of a client's near cache. A get of a key that was read recently and was not written since is served from the client's memory, without a call
/// (protocol/spec/near-cache.md). Assign the settings to <see cref="Configuration.NearCache"/>. The record is immutable. It is validated with the
/// configuration.
/// </summary>
public sealed record NearCache
{
    /// <summary>The maximum number of names or prefixes. It is limited because each get searches them.</summary>
    internal const int MaxNames = 1_000;

    private static readonly TimeSpan s_longestAge = TimeSpan.FromDays(365);

    /// <summary>
    /// Gets the maximum memory that the copies of values may use, in bytes: 1 KiB to 64 GiB. There is no default. Each copy counts as the bytes of its key, the
    /// name of its cache and its value, plus 128 bytes. When the limit is reached, copies that were not used recently are evicted.
    /// </summary>
    public required long MaxBytes { get; init; }

    /// <summary>Gets the maximum age of a copy: 1 ms to 365 days. A copy expires earlier if the TTL of its item ends earlier. The default is 60 s.</summary>
    public TimeSpan MaxAge { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Gets the caches whose values are cached: 1 to 1,000 names. The list is copied. The default is null, which means all caches.</summary>
    public IReadOnlyList<string>? Caches
    {
        get;
        init => field = value is null ? null : [.. value];
    }

    /// <summary>
    /// Gets the key prefixes whose values are cached: 1 to 1,000 prefixes of at least one byte. The list is copied. The default is null, which means all keys.
    /// </summary>
    public IReadOnlyList<CacheBytes>? KeyPrefixes
    {
        get;
        init => field = value is null ? null : [.. value.Select(static prefix => prefix.IsText ? prefix : CacheBytes.FromByteArray(prefix.ToArray()))];
    }

    // Throws an exception if a setting is invalid. The message contains the name of the setting as it appears in the configuration.
    internal void Validate()
    {
        const string Setting = nameof(Configuration.NearCache);
        Require(MaxBytes is >= 1 << 10 and <= 64L << 30, MaxBytes, $"{Setting}.{nameof(MaxBytes)} must be {1 << 10} to {64L << 30}, but is {MaxBytes}.");
        Require(
            MaxAge >= TimeSpan.FromMilliseconds(1) && MaxAge <= s_longestAge,
            MaxAge,
            $"{Setting}.{nameof(MaxAge)} must be {TimeSpan.FromMilliseconds(1)} to {s_longestAge}, but is {MaxAge}.");
        CheckList(Caches, nameof(Caches), static name => Arguments.CheckCache(name));
        CheckList(KeyPrefixes, nameof(KeyPrefixes), static prefix => Arguments.CheckKey(prefix));

        static void CheckList<T>(IReadOnlyList<T>? list, string name, Func<T, CacheError?> check)
        {
            Require(list is null or { Count: > 0 and <= MaxNames }, list?.Count, $"{Setting}.{name} must have 1 to {MaxNames} names, but has {list?.Count}.");
            foreach (T one in list ?? [])
            {
                CacheError? error = check(one);
                Require(error is null, one, $"{Setting}.{name}: {error?.Reason}");
            }
        }

        static void Require(bool holds, object? value, string otherwise)
        {
            if (!holds)
            {
                throw new ArgumentOutOfRangeException(Setting, value, otherwise);
            }
        }
    }
}
