namespace Larder.Client;

/// <summary>
/// What a client may keep of what it reads: a get of a key that it read lately, and that nobody has written since, is answered without a call
/// (protocol/spec/near-cache.md). Given as <see cref="Configuration.NearCache"/>; immutable, and checked with it.
/// </summary>
public sealed record NearCache
{
    /// <summary>The longest list of names or prefixes: each get that may be kept looks through it.</summary>
    internal const int MostNames = 1_000;

    private static readonly TimeSpan s_longestAge = TimeSpan.FromDays(365);

    /// <summary>
    /// What copies may take, in bytes: each its key, its cache's name, its value and 128. 1 KiB to 64 GiB. At the bound those not used lately go.
    /// </summary>
    public required long MaxBytes { get; init; }

    /// <summary>How long a copy is served at most, whatever its item has left. 1 ms to 365 days. Default 60 s.</summary>
    public TimeSpan MaxAge { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The caches whose values are kept: 1 to 1,000 names, copied when they are set. Default null: all.</summary>
    public IReadOnlyList<string>? Caches
    {
        get;
        init => field = value is null ? null : [.. value];
    }

    /// <summary>
    /// What the keys begin with whose values are kept: 1 to 1,000 prefixes of at least one byte, copied when they are set. Default null: any.
    /// </summary>
    public IReadOnlyList<CacheBytes>? KeyPrefixes
    {
        get;
        init => field = value is null ? null : [.. value.Select(static prefix => prefix.IsText ? prefix : CacheBytes.FromByteArray(prefix.ToArray()))];
    }

    // Errors name the setting that it is given as.
    internal void Validate()
    {
        const string Setting = nameof(Configuration.NearCache);
        Require(MaxBytes is >= 1 << 10 and <= 64L << 30, MaxBytes, $"{Setting}.{nameof(MaxBytes)} is {MaxBytes}; it must be from {1 << 10} to {64L << 30}.");
        Require(
            MaxAge >= TimeSpan.FromMilliseconds(1) && MaxAge <= s_longestAge,
            MaxAge,
            $"{Setting}.{nameof(MaxAge)} is {MaxAge}; it must be from {TimeSpan.FromMilliseconds(1)} to {s_longestAge}.");
        CheckList(Caches, nameof(Caches), static name => Arguments.CheckCache(name));
        CheckList(KeyPrefixes, nameof(KeyPrefixes), static prefix => Arguments.CheckKey(prefix));

        static void CheckList<T>(IReadOnlyList<T>? list, string name, Func<T, CacheError?> check)
        {
            Require(list is null or { Count: > 0 and <= MostNames }, list?.Count, $"{Setting}.{name} has {list?.Count}; it must have 1 to {MostNames}.");
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
