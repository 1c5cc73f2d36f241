using System.Buffers;
using System.Text.Unicode;
using Larder.Store.Leases;

namespace Larder.Store;

/// <summary>
/// All caches of one server, in a limited amount of memory. A monotonic clock determines when entries expire. Entries are evicted when the memory is full.
/// Items are read and written through <see cref="Cache"/>. Thread-safe.
/// </summary>
public sealed partial class CacheStore : IDisposable
{
    /// <summary>The maximum length of a cache name, in characters.</summary>
    public const int MaxNameLength = 255;

    // The maximum number of UTF-8 bytes per UTF-16 code unit: U+FFFF takes 3 bytes, and a surrogate pair takes 4 bytes for two units.
    private const int MaxUtf8PerCharacter = 3;

    private readonly CacheStoreOptions _options;
    private readonly Shard[] _shards;
    private readonly SpaceTable _spaces;
    private readonly long _maxTtlMs;
    private readonly int _maxCaches;
    private readonly Lock _directoryLock = new();
    private readonly ITimer _maintenance;
    private bool _disposed;
    private bool _maintaining;
    private volatile CacheDirectory _directory = CacheDirectory.Empty;

    /// <summary>Creates an empty store without caches.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A setting is out of range. The exception contains the name of the setting.</exception>
    /// <exception cref="InsufficientMemoryException">The operating system refuses the memory for the initial tables.</exception>
    public CacheStore(CacheStoreOptions options)
        : this(options, poisonFreedMemory: false)
    {
    }

    /// <param name="options">The settings.</param>
    /// <param name="poisonFreedMemory">Whether to overwrite freed memory, so that tests detect reads of it.</param>
    /// <param name="source">The source of memory pages. If null, the operating system is used.</param>
    internal CacheStore(CacheStoreOptions options, bool poisonFreedMemory, PageSource? source = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options;
        _maxTtlMs = (long)options.MaxTtl.TotalMilliseconds;
        Clock = new MonotonicClock(options.TimeProvider);
        int shards = ShardPlan.Count(options);
        _spaces = new SpaceTable(Epochs, ShardPlan.MaxDeadSpaces(options.MaxMemoryBytes / shards));
        _maxCaches = Math.Min(options.MaxCaches, ShardPlan.CacheCountLimit(options.MaxMemoryBytes / shards));
        Shadow = new ShadowEstimate(options.MaxMemoryBytes / 100 * UsableShare);
        Pages = new PageRegions(options.MaxMemoryBytes, source ?? PageSource.System);
        var parts = new StoreParts(Clock, Epochs, _spaces, Shadow, Pages, shards, poisonFreedMemory);
        _shards = new Shard[shards];
        try
        {
            for (int i = 0; i < shards; i++)
            {
                _shards[i] = new Shard(options.MaxMemoryBytes / shards, parts);
            }
        }
        catch (InsufficientMemoryException)
        {
            Pages.Dispose();
            throw;
        }

        MaxItemBytes = (int)Math.Min(options.MaxItemBytes, ShardPlan.LargestItem(options.MaxMemoryBytes / shards));
        _maintenance = options.TimeProvider.CreateTimer(static store => ((CacheStore)store!).Maintain(), this, MaintenanceInterval, MaintenanceInterval);
    }

    /// <summary>
    /// Gets the maximum size of a key plus its value, in bytes: <see cref="CacheStoreOptions.MaxItemBytes"/>, or less if a shard's share of the memory is too
    /// small.
    /// </summary>
    public int MaxItemBytes { get; }

    /// <summary>
    /// Gets the maximum size of a collection in memory, in bytes: half of a shard's share. A write that could exceed it changes nothing and returns
    /// <see cref="Collections.CollectionOutcome.Full"/>.
    /// </summary>
    public long MaxCollectionBytes => Shard.MaxCollectionBytes(_options.MaxMemoryBytes / _shards.Length);

    /// <summary>Gets the names of the caches, in ordinal order.</summary>
    public IReadOnlyList<string> CacheNames => [.. _directory.Caches.Select(cache => cache.Name).Order(StringComparer.Ordinal)];

    internal MonotonicClock Clock { get; }

    internal Epochs Epochs { get; } = new();

    /// <summary>The number of bytes of values that were hashed while a shard's lock was held, since the store was created.</summary>
    internal long BytesHashedLocked => _shards.Sum(shard => shard.BytesHashedLocked);

    internal ShadowEstimate Shadow { get; }

    internal PageRegions Pages { get; }

    internal SharedPool RemovedTagsPool { get; } = new(RemovedTags.MaxRemembered);

    internal SharedPool LeasePool { get; } = new(LeaseTable.MaxLeases);

    /// <summary>The number of dead spaces that are not reclaimed yet.</summary>
    internal int DeadSpaces => _spaces.Dead.Length;

    /// <summary>The number of bytes in the blocks of all collections, including collections that are being freed.</summary>
    internal long CollectionBytes => _shards.Sum(shard => shard.Blocks.AllocatedBytes);

    /// <summary>The largest number of entries that were visited while a shard's lock was held without interruption.</summary>
    internal long MaxWork => _shards.Max(shard => shard.MaxWork);

    // The percentage of the memory that live entries use when the store is full. The rest is used for the index, unused ends of segments and the segments that
    // are kept available.
    private const int UsableShare = 88;

    // The interval at which the memory of expired entries is reclaimed if no write reclaims it.
    private static TimeSpan MaintenanceInterval => TimeSpan.FromSeconds(1);

    /// <summary>Gets the minimum quota of a cache, in bytes: twice <see cref="MaxItemBytes"/>, so that the largest item always fits.</summary>
    public long MinQuotaBytes => 2L * MaxItemBytes;

    /// <summary>Returns whether <paramref name="maxBytes"/> is a valid quota: 0 (no quota), or at least <see cref="MinQuotaBytes"/>.</summary>
    public bool IsQuota(long maxBytes) => maxBytes == 0 || maxBytes >= MinQuotaBytes;

    /// <summary>Creates an empty cache.</summary>
    /// <param name="name">The name: 1 to 255 characters, not blank.</param>
    /// <param name="maxBytes">
    /// The quota: the maximum memory for the cache's entries, including about 40 bytes of header for each entry. When the quota is exceeded, the cache evicts
    /// its own entries. The value 0 means no quota. Any other value must be at least <see cref="MinQuotaBytes"/>.
    /// </param>
    /// <returns>False if a cache with this name already exists. In this case, nothing is changed.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The quota is neither 0 nor large enough.</exception>
    /// <exception cref="ArgumentException">
    /// The name is blank, longer than 255 characters, or not valid Unicode. A lone surrogate is invalid because it has no UTF-8 encoding, which lookups need.
    /// </exception>
    /// <exception cref="InvalidOperationException">The store already has its maximum number of caches.</exception>
    public bool CreateCache(string name, long maxBytes = 0)
    {
        if (!IsQuota(maxBytes))
        {
            throw new ArgumentOutOfRangeException(nameof(maxBytes), maxBytes, $"A quota must be 0 or at least {MinQuotaBytes} bytes.");
        }

        if (string.IsNullOrWhiteSpace(name) || name.Length > MaxNameLength)
        {
            throw new ArgumentException($"A cache name must be 1 to {MaxNameLength} characters and not blank.", nameof(name));
        }

        if (Utf8.FromUtf16(name, stackalloc byte[MaxNameLength * MaxUtf8PerCharacter], out _, out _, replaceInvalidSequences: false) != OperationStatus.Done)
        {
            throw new ArgumentException("A cache name must be valid Unicode without unpaired surrogates.", nameof(name));
        }

        lock (_directoryLock)
        {
            if (_directory.Find(name) is not null)
            {
                return false;
            }

            if (_directory.Caches.Count >= _maxCaches)
            {
                throw new InvalidOperationException($"The store already has the maximum of {_maxCaches} caches.");
            }

            _spaces.HaveQuotas |= maxBytes != 0;
            _directory = _directory.With(NewCache(name, maxBytes));
            return true;
        }
    }

    /// <summary>Deletes a cache and all its items. The statistics immediately report the memory as free. The entries are reclaimed later.</summary>
    /// <returns>False if no such cache exists.</returns>
    public bool DeleteCache(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        Cache? cache;
        lock (_directoryLock)
        {
            cache = _directory.Find(name);
            if (cache is null)
            {
                return false;
            }

            _directory = _directory.Without(cache);
            _deleted.Add(cache);
            Kill(cache.Space);
            cache.Forget();
        }

        NotifyCleared(cache);
        return true;
    }

    /// <summary>Removes all items of a cache, so every later lookup is a miss. Concurrent calls on this and other caches are not blocked.</summary>
    /// <returns>False if no such cache exists.</returns>
    public bool FlushCache(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        Cache? cache;
        lock (_directoryLock)
        {
            cache = _directory.Find(name);
            if (cache is null)
            {
                return false;
            }

            Space old = cache.Space;
            cache.Space = NewSpace(cache);
            Kill(old);
            cache.ForgetLeases(long.MaxValue);
        }

        NotifyCleared(cache);
        return true;
    }

    /// <summary>Returns the cache with the given name, or null if there is no such cache.</summary>
    public Cache? Find(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return _directory.Find(name);
    }

    /// <summary>Returns the cache whose name has the given UTF-8 encoding, or null if there is no such cache.</summary>
    public Cache? Find(ReadOnlySpan<byte> utf8Name) => _directory.Find(utf8Name);

    /// <summary>
    /// Checks all invariants of the store, for tests. The check visits every entry. No other thread may write during the check. Throws
    /// <see cref="InvalidOperationException"/> that describes the first broken invariant.
    /// </summary>
    public void AssertValid()
    {
        foreach (Shard shard in _shards)
        {
            shard.AssertValid();
        }

        foreach (Cache cache in _directory.Caches.Where(cache => cache.MaxBytes != 0))
        {
            Invariant.Holds(cache.Space.ChargedBytes == UsageOf(cache.Space).ChargedBytes, "a quota's bytes are those of the entries");
        }
    }

    /// <summary>
    /// Stops the background maintenance and releases the memory. Later lookups find nothing; later writes throw <see cref="ObjectDisposedException"/>. If a
    /// concurrent lookup does not finish within one second, the memory stays allocated until the process exits.
    /// </summary>
    public void Dispose()
    {
        _maintenance.Dispose();
        lock (_directoryLock)
        {
            if (_disposed)
            {
                return;
            }

            _disposed = true;
            Array.ForEach(_shards, shard => shard.Close());
            long closedIn = Epochs.Unlinked();
            bool left = SpinWait.SpinUntil(
                () =>
                {
                    Epochs.Advance();
                    return Epochs.Safe >= closedIn;
                },
                TimeSpan.FromSeconds(1));
            if (left)
            {
                Array.ForEach(_shards, shard => shard.Dispose());
                Pages.Dispose();
            }
        }
    }

    internal int ShardCount => _shards.Length;

    internal Shard ShardAt(int number) => _shards[number];

    internal Shard ShardOf(ulong hash) => _shards[(int)hash & (_shards.Length - 1)];

    internal void CheckTtl(long ttlMs)
    {
        if (ttlMs < 1 || ttlMs > _maxTtlMs)
        {
            throw new ArgumentOutOfRangeException(nameof(ttlMs), ttlMs, $"A TTL must be 1 to {_maxTtlMs} ms.");
        }
    }

    internal void CheckExtras(in ItemExtras extras)
    {
        if (extras.Tags.Length > Cache.MaxTags)
        {
            throw new ArgumentException($"An item must have at most {Cache.MaxTags} tags.", nameof(extras));
        }

        if (extras.Validator.Length > Cache.MaxValidatorBytes)
        {
            throw new ArgumentException($"A validator must have at most {Cache.MaxValidatorBytes} bytes.", nameof(extras));
        }

        if (extras.StaleMs < 0 || extras.StaleMs > _maxTtlMs)
        {
            throw new ArgumentOutOfRangeException(nameof(extras), extras.StaleMs, $"A stale time must be 0 to {_maxTtlMs} ms.");
        }
    }

    internal void CheckSize(int keyBytes, int valueBytes)
    {
        if ((long)keyBytes + valueBytes > MaxItemBytes)
        {
            throw new ArgumentException($"Key and value together must be at most {MaxItemBytes} bytes, but are {(long)keyBytes + valueBytes} bytes.");
        }
    }

    /// <summary>Reclaims memory in the background. The amount of work per shard is limited.</summary>
    internal void Maintain()
    {
        // Only one run at a time: the timer can fire before the previous run has finished.
        if (Interlocked.Exchange(ref _maintaining, true))
        {
            return;
        }

        try
        {
            Array.ForEach(_shards, shard => shard.Maintain());
            foreach (Cache cache in _directory.Caches)
            {
                cache.ForgetLeases(Clock.NowMs);
            }

            lock (_directoryLock)
            {
                if (!_disposed)
                {
                    RecycleSpaces();
                }
            }
        }
        catch (OutOfMemoryException)
        {
            // This is ignored, because the state is still consistent. The next run continues the work.
        }
        finally
        {
            Volatile.Write(ref _maintaining, false);
        }
    }
}
