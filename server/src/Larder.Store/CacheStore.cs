using System.Buffers;
using System.Text.Unicode;
using Larder.Store.Leases;

namespace Larder.Store;

/// <summary>
/// All caches of one server in one bounded memory: entries by bytes, TTLs on a monotonic clock, eviction when the memory is full.
/// Safe from any thread. Lookups and writes go through <see cref="Cache"/>.
/// </summary>
public sealed partial class CacheStore : IDisposable
{
    /// <summary>Longest cache name, in characters.</summary>
    public const int MaxNameLength = 255;

    // UTF-8 of one UTF-16 unit: U+FFFF has 3 bytes, and a pair of them 4.
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

    /// <summary>Builds an empty store, with no cache in it.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A setting is out of its range; the exception names it.</exception>
    /// <exception cref="InsufficientMemoryException">The operating system refuses the memory for its empty tables.</exception>
    public CacheStore(CacheStoreOptions options)
        : this(options, poisonFreedMemory: false)
    {
    }

    /// <param name="options">The settings.</param>
    /// <param name="poisonFreedMemory">Overwrites memory when it is freed, so that a test sees a read of it.</param>
    /// <param name="source">Where the memory comes from; null is the operating system.</param>
    internal CacheStore(CacheStoreOptions options, bool poisonFreedMemory, PageSource? source = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options;
        _maxTtlMs = (long)options.MaxTtl.TotalMilliseconds;
        Clock = new MonotonicClock(options.TimeProvider);
        int shards = ShardPlan.Count(options);
        _spaces = new SpaceTable(Epochs, ShardPlan.MostDeadSpaces(options.MaxMemoryBytes / shards));
        _maxCaches = Math.Min(options.MaxCaches, ShardPlan.MostCaches(options.MaxMemoryBytes / shards));
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
    /// Largest key plus value that this store takes, in bytes: the option's, or less where a shard's share of the memory is too small for it.
    /// </summary>
    public int MaxItemBytes { get; }

    /// <summary>
    /// Largest collection that this store takes, in bytes of memory: half of a shard's share. A write that could make it larger is refused unchanged.
    /// </summary>
    public long MaxCollectionBytes => Shard.MaxCollectionBytes(_options.MaxMemoryBytes / _shards.Length);

    /// <summary>The names of the caches, in ordinal order.</summary>
    public IReadOnlyList<string> CacheNames => [.. _directory.Caches.Select(cache => cache.Name).Order(StringComparer.Ordinal)];

    internal MonotonicClock Clock { get; }

    internal Epochs Epochs { get; } = new();

    /// <summary>Bytes of values hashed with a shard's lock held since the store was built.</summary>
    internal long BytesHashedLocked => _shards.Sum(shard => shard.BytesHashedLocked);

    internal ShadowEstimate Shadow { get; }

    internal PageRegions Pages { get; }

    internal SharedPool RemovedTagsPool { get; } = new(RemovedTags.MaxRemembered);

    internal SharedPool LeasePool { get; } = new(LeaseTable.MaxLeases);

    /// <summary>Spaces that await reclaim.</summary>
    internal int DeadSpaces => _spaces.Dead.Length;

    /// <summary>Bytes of the blocks of all collections, those that are leaving among them.</summary>
    internal long CollectionBytes => _shards.Sum(shard => shard.Blocks.AllocatedBytes);

    /// <summary>The most entries that one hold of a shard's lock looked at.</summary>
    internal long MostWork => _shards.Max(shard => shard.MostWork);

    // Percent of the memory that holds live entries when it is full; the rest is index, segment ends and the low-water mark.
    private const int UsableShare = 88;

    // How often memory of expired entries is reclaimed where no write does it.
    private static TimeSpan MaintenanceInterval => TimeSpan.FromSeconds(1);

    /// <summary>The smallest quota that a cache may have, in bytes: it has room for the largest item and some more.</summary>
    public long MinQuotaBytes => 2L * MaxItemBytes;

    /// <summary>Whether a cache may have this quota in bytes: 0, which is none, or <see cref="MinQuotaBytes"/> or more.</summary>
    public bool IsQuota(long maxBytes) => maxBytes == 0 || maxBytes >= MinQuotaBytes;

    /// <summary>Creates an empty cache.</summary>
    /// <param name="name">1 to 255 characters, not blank.</param>
    /// <param name="maxBytes">
    /// Its quota: what its entries, with their headers of some 40 bytes, may take of the store's memory. Past it the cache evicts its own. 0: none; otherwise
    /// <see cref="MinQuotaBytes"/> or more.
    /// </param>
    /// <returns>False where one of that name exists; nothing changed.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The quota is neither 0 nor large enough.</exception>
    /// <exception cref="ArgumentException">The name is blank, longer than 255 characters, or no Unicode text: half a surrogate pair has no bytes to be found
    /// by.</exception>
    /// <exception cref="InvalidOperationException">The store has its most caches already.</exception>
    public bool CreateCache(string name, long maxBytes = 0)
    {
        if (!IsQuota(maxBytes))
        {
            throw new ArgumentOutOfRangeException(nameof(maxBytes), maxBytes, $"A quota is 0 or from {MinQuotaBytes}.");
        }

        if (string.IsNullOrWhiteSpace(name) || name.Length > MaxNameLength)
        {
            throw new ArgumentException($"A cache's name has 1 to {MaxNameLength} characters and is not blank.", nameof(name));
        }

        if (Utf8.FromUtf16(name, stackalloc byte[MaxNameLength * MaxUtf8PerCharacter], out _, out _, replaceInvalidSequences: false) != OperationStatus.Done)
        {
            throw new ArgumentException("A cache's name is Unicode text, without halves of surrogate pairs.", nameof(name));
        }

        lock (_directoryLock)
        {
            if (_directory.Find(name) is not null)
            {
                return false;
            }

            if (_directory.Caches.Count >= _maxCaches)
            {
                throw new InvalidOperationException($"The store already has {_maxCaches} caches, its limit.");
            }

            _spaces.HaveQuotas |= maxBytes != 0;
            _directory = _directory.With(NewCache(name, maxBytes));
            return true;
        }
    }

    /// <summary>Deletes a cache with all it holds. Its memory is free at once and reclaimed as it is met.</summary>
    /// <returns>False where there is none.</returns>
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

        TellCleared(cache);
        return true;
    }

    /// <summary>Empties a cache, at once for every later lookup, without stopping work on it or on the others.</summary>
    /// <returns>False where there is none.</returns>
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

        TellCleared(cache);
        return true;
    }

    /// <summary>The cache of that name, or null.</summary>
    public Cache? Find(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return _directory.Find(name);
    }

    /// <summary>The cache whose name has these UTF-8 bytes, or null.</summary>
    public Cache? Find(ReadOnlySpan<byte> utf8Name) => _directory.Find(utf8Name);

    /// <summary>
    /// Throws <see cref="InvalidOperationException"/> naming the first of the store's invariants found broken. It walks everything, while no other thread
    /// writes: for tests.
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
    /// Ends the background reclaim and gives the memory back. Later lookups find nothing and later writes throw
    /// <see cref="ObjectDisposedException"/>. If a lookup under way does not end within a second, its memory is left to the process's end.
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
            throw new ArgumentOutOfRangeException(nameof(ttlMs), ttlMs, $"A TTL is from 1 to {_maxTtlMs} ms.");
        }
    }

    internal void CheckExtras(in ItemExtras extras)
    {
        if (extras.Tags.Length > Cache.MaxTags)
        {
            throw new ArgumentException($"An item has at most {Cache.MaxTags} tags.", nameof(extras));
        }

        if (extras.StaleMs < 0 || extras.StaleMs > _maxTtlMs)
        {
            throw new ArgumentOutOfRangeException(nameof(extras), extras.StaleMs, $"A stale time is from 0 to {_maxTtlMs} ms.");
        }
    }

    internal void CheckSize(int keyBytes, int valueBytes)
    {
        if ((long)keyBytes + valueBytes > MaxItemBytes)
        {
            throw new ArgumentException($"Key and value have {(long)keyBytes + valueBytes} bytes; the limit is {MaxItemBytes}.");
        }
    }

    /// <summary>Reclaims what can be without a write asking for it: a bounded amount in each shard.</summary>
    internal void Maintain()
    {
        // One at a time: the timer comes again though the last has not ended.
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
            // Nothing was left half done, and the next second tries again.
        }
        finally
        {
            Volatile.Write(ref _maintaining, false);
        }
    }
}
