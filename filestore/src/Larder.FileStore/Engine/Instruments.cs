using System.Diagnostics.Metrics;

namespace Larder.FileStore.Engine;

/// <summary>The meter "Larder.FileStore".</summary>
internal static class Instruments
{
    private static readonly Meter Meter = new("Larder.FileStore");
    private static readonly HashSet<WeakReference<CacheEngine>> Engines = [];
    private static readonly Counter<long> Writes = Meter.CreateCounter<long>("cache.writes", "{write}", "Lines appended to the file.");
    private static readonly Counter<long> WrittenBytes = Meter.CreateCounter<long>("cache.written.bytes", "By", "Bytes appended to the file.");
    private static readonly Counter<long> ReadBytes = Meter.CreateCounter<long>(
        "cache.caught_up.bytes",
        "By",
        "Bytes that other processes wrote and this process read.");
    private static readonly Counter<long> Evictions = Meter.CreateCounter<long>("cache.evictions", "{entry}", "Entries evicted, by reason.");
    private static readonly Counter<long> CompactionCount = Meter.CreateCounter<long>(
        "cache.compactions",
        "{compaction}",
        "Compactions: files rewritten without deleted and expired entries.");
    private static readonly Counter<long> DamagedCount = Meter.CreateCounter<long>("cache.damaged", "{line}", "Damaged regions found in the file.");
    private static readonly Histogram<double> LockWait = Meter.CreateHistogram<double>(
        "cache.lock.wait",
        "s",
        "Time spent waiting for the write lock of the file.");

    static Instruments()
    {
        Meter.CreateObservableGauge("cache.entries", () => Observe(e => e.Count), "{entry}", "Live entries.");
        Meter.CreateObservableGauge("cache.size.bytes", () => Observe(e => e.LiveBytes), "By", "Bytes of the live entries in the file.");
        Meter.CreateObservableGauge("cache.file.bytes", () => Observe(e => e.FileBytes), "By", "Length of the file.");
    }

    internal static Counter<long> Hits { get; } = Meter.CreateCounter<long>("cache.hits", "{read}", "Reads that found their entry.");

    internal static Counter<long> Misses { get; } = Meter.CreateCounter<long>("cache.misses", "{read}", "Reads that found no entry.");

    internal static void Count(bool hit) => (hit ? Hits : Misses).Add(1);

    internal static void Add(CacheEngine engine)
    {
        lock (Engines)
        {
            Engines.RemoveWhere(e => !e.TryGetTarget(out _));
            Engines.Add(new WeakReference<CacheEngine>(engine));
        }
    }

    internal static void Remove(CacheEngine engine)
    {
        lock (Engines)
        {
            Engines.RemoveWhere(e => !e.TryGetTarget(out CacheEngine? other) || ReferenceEquals(other, engine));
        }
    }

    internal static void Wrote(int bytes)
    {
        Writes.Add(1);
        WrittenBytes.Add(bytes);
    }

    internal static void CaughtUp(long bytes) => ReadBytes.Add(bytes);

    internal static void Evicted(int entries) => Evictions.Add(entries, new KeyValuePair<string, object?>("reason", "size"));

    internal static void Expired(int entries) => Evictions.Add(entries, new KeyValuePair<string, object?>("reason", "expired"));

    internal static void Compacted() => CompactionCount.Add(1);

    internal static void FoundDamaged() => DamagedCount.Add(1);

    internal static void Waited(TimeSpan wait) => LockWait.Record(wait.TotalSeconds);

    private static List<Measurement<long>> Observe(Func<CacheEngine, long> value)
    {
        List<CacheEngine> engines = [];
        lock (Engines)
        {
            foreach (WeakReference<CacheEngine> reference in Engines)
            {
                if (reference.TryGetTarget(out CacheEngine? engine))
                {
                    engines.Add(engine);
                }
            }
        }
        // Measure outside this lock, because measuring takes the locks of the engines.
        List<Measurement<long>> measurements = [];
        foreach (CacheEngine engine in engines)
        {
            try
            {
                measurements.Add(new Measurement<long>(value(engine), new KeyValuePair<string, object?>("file", engine.Path)));
            }
            catch (ObjectDisposedException)
            {
                // The cache was closed after the list was built, so there is nothing to report.
            }
        }
        return measurements;
    }
}
