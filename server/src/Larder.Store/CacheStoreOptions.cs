namespace Larder.Store;

/// <summary>The settings of a <see cref="CacheStore"/>: immutable, checked once when the store is built.</summary>
public sealed record CacheStoreOptions
{
    /// <summary>The smallest <see cref="MaxMemoryBytes"/> accepted: 1 MiB, enough for one shard's tables and blocks.</summary>
    public const long MinMemoryBytes = 1 << 20;

    /// <summary>
    /// Memory the store may hold, in bytes: keys, values and the engine's own tables. Range: 1 MiB and up. Default: 256 MiB.
    /// At the bound, a new entry is stored and old ones are evicted.
    /// </summary>
    public long MaxMemoryBytes { get; init; } = 256L << 20;

    /// <summary>
    /// Largest key plus value, in bytes. Range: 1 to 8,000,000. Default: 5,000,192 (4,883 KiB), the limit that ListCaches reports.
    /// A store whose shards are too small for it accepts less: see <see cref="CacheStore.MaxItemBytes"/>.
    /// </summary>
    public int MaxItemBytes { get; init; } = 5_000_192;

    /// <summary>Longest TTL. Range: 1 ms to 365 days. Default: 24 hours, the limit that ListCaches reports.</summary>
    public TimeSpan MaxTtl { get; init; } = TimeSpan.FromHours(24);

    /// <summary>The clock. Only its timestamps are read, never the wall clock, so a changed system time moves no TTL. Default: the system's.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>
    /// Number of shards, each with its own lock, index and share of the memory: a power of two from 1 to 1,024, or 0 to choose by
    /// memory and processors. A shard's share is from 256 KiB to 7 GiB; above 512 MiB, entries have a segment of their own only from a larger
    /// size on. Default: 0, which makes shards of 512 MiB at most while there are 1,024.
    /// </summary>
    public int Shards { get; init; }

    /// <summary>
    /// Most caches that may exist at once. Range: 1 to 100,000. Default: 10,000; one more is refused with an exception. A store in which the
    /// accounts of so many would take more than an eighth of the memory, 56 bytes a cache and shard, takes as many as fit in that.
    /// </summary>
    public int MaxCaches { get; init; } = 10_000;

    /// <summary>Throws <see cref="ArgumentOutOfRangeException"/> naming the first setting out of its range.</summary>
    internal void Validate()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxMemoryBytes, MinMemoryBytes);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxItemBytes, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxItemBytes, 8_000_000);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxTtl, TimeSpan.FromMilliseconds(1));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxTtl, TimeSpan.FromDays(365));
        ArgumentNullException.ThrowIfNull(TimeProvider);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxCaches, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxCaches, 100_000);
        ArgumentOutOfRangeException.ThrowIfNegative(Shards);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(Shards, 1024);
        if (Shards != 0 && !int.IsPow2(Shards))
        {
            throw new ArgumentOutOfRangeException(nameof(Shards), Shards, "Shards must be a power of two, or 0.");
        }

        long share = MaxMemoryBytes / ShardPlan.Count(this);
        if (share is < SegmentPlan.MinShardBytes or > SegmentPlan.MaxShardBytes)
        {
            throw new ArgumentOutOfRangeException(
                Shards == 0 ? nameof(MaxMemoryBytes) : nameof(Shards),
                $"A shard holds {SegmentPlan.MinShardBytes} bytes to {SegmentPlan.MaxShardBytes}; {ShardPlan.Count(this)} shards of {MaxMemoryBytes} bytes "
                    + $"have {share} each.");
        }
    }
}
