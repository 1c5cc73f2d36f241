using Microsoft.Extensions.Caching.Hybrid;

namespace Larder.Client;

/// <summary>The settings of <see cref="LarderHybridCache"/>. They are validated when the HybridCache is created.</summary>
public sealed class LarderHybridCacheOptions
{
    // As in .NET's default HybridCache.
    internal static readonly TimeSpan DefaultExpiration = TimeSpan.FromMinutes(5);

    private const int MaxPrefixBytes = 128;
    private const long MaxPayload = 1L << 30;
    private const long MaxMemory = 64L << 30;

    /// <summary>Gets or sets the name of the server's cache that contains the entries. The default is <c>cache</c>, which exists on every new server.</summary>
    public string CacheName { get; set; } = "cache";

    /// <summary>
    /// Gets or sets the prefix of every key and tag: at most 128 bytes. Different prefixes allow several applications to share a cache. The default is
    /// <c>hybrid:</c>.
    /// </summary>
    public string KeyPrefix { get; set; } = "hybrid:";

    /// <summary>
    /// Gets or sets the options of calls that pass no options. An expiration that is null, here or in the options of a call, is 5 minutes. The default is null:
    /// an expiration of 5 minutes and no flags.
    /// </summary>
    public HybridCacheEntryOptions? DefaultEntryOptions { get; set; }

    /// <summary>
    /// Gets or sets the maximum length of a key in characters: 1 to 1,000,000. A value with a longer key is created for each call and not stored. The default
    /// is 1,024.
    /// </summary>
    public int MaximumKeyLength { get; set; } = 1_024;

    /// <summary>
    /// Gets or sets the maximum length of a serialized value in bytes, before compression: 1 to 1,073,741,824. The server's limit is 4,883 KiB for a key and
    /// its value together. A larger value is returned to the caller and not stored. The default is 1 MiB (1,048,576 bytes).
    /// </summary>
    public long MaximumPayloadBytes { get; set; } = 1 << 20;

    /// <summary>
    /// Gets or sets the length in bytes above which serialized values are compressed, unless a call has the flag DisableCompression: 0 to 2,147,483,647. The
    /// default is null: values are not compressed.
    /// </summary>
    public int? CompressAbove { get; set; }

    /// <summary>
    /// Gets or sets the memory for copies of values in this process, in bytes: 1 KiB to 64 GiB. It applies if the client's own settings contain no near cache
    /// (<see cref="LarderCacheOptions.NearCacheBytes"/>). The least recently used copies are evicted at the limit. The default is 64 MiB (67,108,864 bytes).
    /// </summary>
    public long NearCacheBytes { get; set; } = 64 << 20;

    /// <summary>
    /// Gets or sets the memory for values that are not stored on the server because a call has the flag DisableDistributedCacheWrite, in bytes: 0 to 64 GiB.
    /// Keys and tags count as well. The oldest values are evicted at the limit. The default is 16 MiB (16,777,216 bytes).
    /// </summary>
    public long LocalOnlyBytes { get; set; } = 16 << 20;

    /// <summary>
    /// Gets or sets how missing values are loaded: the duration of the lease, whether and how long stale values are returned, timeouts of the factory, and
    /// jitter. A refresh before the expiry (<see cref="GetOrCreateOptions.RefreshAheadFor"/>) starts at most half the expiration before it. The properties Ttl,
    /// TtlOf and Tags must not be set, because each call states its expiration and tags. The default is <c>new GetOrCreateOptions()</c>: no stale values.
    /// </summary>
    public GetOrCreateOptions Loading { get; set; } = new();

    /// <exception cref="ArgumentException">A setting is invalid.</exception>
    internal void Check()
    {
        ArgumentNullException.ThrowIfNull(KeyPrefix, nameof(KeyPrefix));
        CacheBytes prefix = KeyPrefix;
        Require(prefix.IsWellFormed && prefix.Length <= MaxPrefixBytes, nameof(KeyPrefix), $"must be valid Unicode text of at most {MaxPrefixBytes} bytes");
        Require(MaximumKeyLength is > 0 and <= 1_000_000, nameof(MaximumKeyLength), "must be 1 to 1,000,000");
        Require(MaximumPayloadBytes is > 0 and <= MaxPayload, nameof(MaximumPayloadBytes), $"must be 1 to {MaxPayload}");
        Require(CompressAbove is null or >= 0, nameof(CompressAbove), "must be at least 0");
        Require(NearCacheBytes is >= 1 << 10 and <= MaxMemory, nameof(NearCacheBytes), $"must be {1 << 10} to {MaxMemory}");
        Require(LocalOnlyBytes is >= 0 and <= MaxMemory, nameof(LocalOnlyBytes), $"must be 0 to {MaxMemory}");
        ArgumentNullException.ThrowIfNull(Loading, nameof(Loading));
        Loading.Check();
        Require(
            Loading is { Ttl: null, TtlOf: null, Tags.Count: 0 },
            nameof(Loading),
            "must not set Ttl, TtlOf or Tags; pass HybridCacheEntryOptions and tags with each call");
    }

    private static void Require(bool holds, string name, string rule)
    {
        if (!holds)
        {
            throw new ArgumentException($"{nameof(LarderHybridCacheOptions)}.{name} {rule}.");
        }
    }
}
