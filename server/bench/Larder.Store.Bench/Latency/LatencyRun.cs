using System.Buffers.Binary;
using System.Diagnostics;

namespace Larder.Store.Bench;

/// <summary>A store whose latency is measured. The store is filled first. After that, each call is timed.</summary>
internal sealed class LatencyRun : IDisposable
{
    public const long LimitBytes = 2L << 30;
    private const long HourMs = 3_600_000;
    private const int KeyBytes = 16;
    private const double FullShare = 0.85;

    // The share of the memory that the first cache fills. The second cache, which is flushed, fills the rest. Some of its entries are evicted in the phase
    // before the flush. When it is flushed, it uses 15 % of the memory.
    private const double KeptShare = 0.8;
    private const int BetweenLooks = 1000;

    /// <summary>A set that takes longer than this, in microseconds, is recorded together with whether its thread was preempted.</summary>
    public const double SlowUs = 50;

    private readonly Cache _keep;
    private readonly Cache _go;
    private long _keys;

    public LatencyRun(int shards, long limitBytes = LimitBytes)
    {
        Store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = limitBytes, Shards = shards });
        Store.CreateCache("keep");
        Store.CreateCache("go");
        _keep = Store.Find("keep")!;
        _go = Store.Find("go")!;
    }

    public CacheStore Store { get; }

    /// <summary>Runs a small store, so that the runtime compiles the hot code.</summary>
    public static void WarmUp(int threads)
    {
        using var small = new LatencyRun(shards: 0, limitBytes: 64 << 20);
        small.FillUntilEvicted(100);
        for (int round = 0; round < 4; round++)
        {
            small.Measure(threads, new LatencyTraffic(round % 2 == 0, 100, long.MaxValue, TimeSpan.FromSeconds(0.5)));
            small.Flush();
        }
    }

    public void FillTo(double share, int valueBytes) =>
        Fill(_keep, valueBytes, () => HourMs, statistics => statistics.UsedMemoryBytes >= share * statistics.MaxMemoryBytes);

    public void FillEntries(long entries, int valueBytes) => Fill(_keep, valueBytes, () => HourMs, statistics => statistics.Entries >= entries);

    public void FillUntilEvicted(int valueBytes) => Fill(_keep, valueBytes, () => HourMs, statistics => statistics.Evictions.Memory > 0);

    /// <summary>Fills the store. The last part of the memory is filled with entries of another cache, which <see cref="Flush"/> flushes.</summary>
    public void FillToFlush(int valueBytes)
    {
        FillTo(KeptShare, valueBytes);
        Fill(_go, valueBytes, () => HourMs, statistics => statistics.Evictions.Memory > 0);
    }

    /// <summary>Fills most of the store. The last third of the entries expire one after another within a few seconds.</summary>
    public void FillToExpire(int valueBytes)
    {
        long began = Environment.TickCount64;
        FillTo(FullShare * 2 / 3, valueBytes);
        long filled = Environment.TickCount64;

        // Filling the last third takes half as long as filling the first two thirds. The first entries of the last third expire soon after the store is filled.
        // The last entries expire near the end of the measurement.
        var random = new Random(8);
        long dueMs = filled + ((filled - began) * 3 / 4);
        Fill(_keep, valueBytes, () => Math.Max(dueMs + random.Next(5_000) - Environment.TickCount64, 1), statistics =>
            statistics.UsedMemoryBytes >= FullShare * statistics.MaxMemoryBytes || Environment.TickCount64 >= dueMs);
    }

    /// <summary>Flushes the cache that was filled last.</summary>
    /// <returns>The percentage of the memory limit that the flushed cache used.</returns>
    public double Flush()
    {
        Store.FlushCache(_go.Name);
        StoreStatistics statistics = Store.GetStatistics();
        return 100.0 * statistics.FlushedBytes / statistics.MaxMemoryBytes;
    }

    public LatencyPhase Measure(int threads, LatencyTraffic traffic)
    {
        GC.Collect();
        var phase = new LatencyPhase();
        Thread[] workers = [.. Enumerable.Range(0, threads).Select(seed => new Thread(() => Work(seed, traffic, traffic.MaxSets / threads, phase)))];
        Array.ForEach(workers, worker => worker.Start());
        Array.ForEach(workers, worker => worker.Join());
        return phase;
    }

    public void Dispose() => Store.Dispose();

    private void Work(int seed, LatencyTraffic traffic, long maxSets, LatencyPhase phase)
    {
        var random = new Random(seed);
        byte[] key = new byte[KeyBytes];
        byte[] value = new byte[traffic.ValueBytes];
        byte[] buffer = new byte[1000];
        Latencies gets = new(), sets = new();
        List<SlowCall> slowSets = [];
        long slow = (long)(SlowUs * Stopwatch.Frequency / 1e6);
        long began = Stopwatch.GetTimestamp();
        long last = began + (long)(traffic.MaxTime.TotalSeconds * Stopwatch.Frequency);
        for (long done = 0; done < maxSets && Stopwatch.GetTimestamp() < last; done++)
        {
            BinaryPrimitives.WriteInt64LittleEndian(key, traffic.NewKeys ? Interlocked.Increment(ref _keys) : random.NextInt64(Volatile.Read(ref _keys)));
            long switches = ThreadSwitches.Count();
            long from = Stopwatch.GetTimestamp();
            _keep.Set(key, value, HourMs);
            long to = Stopwatch.GetTimestamp();
            sets.Add(to - from);
            if (to - from > slow)
            {
                slowSets.Add(new SlowCall(from, to, ThreadSwitches.Count() != switches));
            }

            BinaryPrimitives.WriteInt64LittleEndian(key, random.NextInt64(Volatile.Read(ref _keys)));
            var sink = new CopySink(buffer);
            from = Stopwatch.GetTimestamp();
            _keep.TryGet(key, ref sink);
            gets.Add(Stopwatch.GetTimestamp() - from);
        }

        phase.Add(gets, sets, slowSets);
    }

    private void Fill(Cache cache, int valueBytes, Func<long> ttlMs, Predicate<StoreStatistics> full)
    {
        byte[] key = new byte[KeyBytes];
        byte[] value = new byte[valueBytes];
        while (!full(Store.GetStatistics()))
        {
            for (int i = 0; i < BetweenLooks; i++)
            {
                BinaryPrimitives.WriteInt64LittleEndian(key, ++_keys);
                cache.Set(key, value, ttlMs());
            }
        }
    }
}
