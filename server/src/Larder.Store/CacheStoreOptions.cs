namespace Larder.Store;

/// <summary>The settings of a <see cref="CacheStore"/>. Immutable. The settings are validated when the store is created.</summary>
public sealed record CacheStoreOptions
{
    /// <summary>The minimum of <see cref="MaxMemoryBytes"/>: 1 MiB, enough for the tables and blocks of one shard.</summary>
    public const long MinMemoryBytes = 1 << 20;

    /// <summary>
    /// The maximum memory of the store, in bytes, for keys, values and the engine's own tables. Minimum: 1 MiB. When the memory is full, a new entry evicts old
    /// ones. The default is 256 MiB.
    /// </summary>
    public long MaxMemoryBytes { get; init; } = 256L << 20;

    /// <summary>
    /// The maximum size of a key plus its value, in bytes. Range: 1 to 8,000,000. If a shard is too small for this size, the limit is lower. See
    /// <see cref="CacheStore.MaxItemBytes"/>. The default is 5,000,192 (4,883 KiB), the limit that ListCaches reports.
    /// </summary>
    public int MaxItemBytes { get; init; } = 5_000_192;

    /// <summary>The maximum TTL. Range: 1 ms to 365 days. The default is 24 hours, the limit that ListCaches reports.</summary>
    public TimeSpan MaxTtl { get; init; } = TimeSpan.FromHours(24);

    /// <summary>
    /// The source of time. The store reads only timestamps, not the wall clock, so a change of the system time does not affect TTLs. The default is the system
    /// clock.
    /// </summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>
    /// The number of shards. Each shard has its own lock, index and share of the memory. Allowed values are 0 and the powers of two from 1 to 1,024. If the
    /// value is 0 (the default), the store chooses the number by memory size and processor count. It then creates shards of at most 512 MiB, unless this would
    /// need more than 1,024 shards. A shard's share must be 256 KiB to 7 GiB. If the share is larger than 512 MiB, the minimum size of an entry with its own
    /// segment is larger.
    /// </summary>
    public int Shards { get; init; }

    /// <summary>
    /// The maximum number of caches. Range: 1 to 100,000. Creating more caches throws. Each cache needs 56 bytes of accounting data per shard. If this data
    /// would exceed an eighth of the memory, the limit is the number of caches whose data fits in an eighth. The default is 10,000.
    /// </summary>
    public int MaxCaches { get; init; } = 10_000;

    /// <summary>Throws <see cref="ArgumentOutOfRangeException"/> for the first setting that is out of range.</summary>
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
            throw new ArgumentOutOfRangeException(nameof(Shards), Shards, "Shards must be 0 or a power of two.");
        }

        long share = MaxMemoryBytes / ShardPlan.Count(this);
        if (share is < SegmentPlan.MinShardBytes or > SegmentPlan.MaxShardBytes)
        {
            throw new ArgumentOutOfRangeException(
                Shards == 0 ? nameof(MaxMemoryBytes) : nameof(Shards),
                $"A shard must have {SegmentPlan.MinShardBytes} to {SegmentPlan.MaxShardBytes} bytes, but {MaxMemoryBytes} bytes of memory "
                    + $"divided among {ShardPlan.Count(this)} shards are {share} bytes per shard.");
        }
    }
}
