namespace Larder.Store.Bench;

/// <summary>
/// One store under all kinds of concurrent load: workers, flushes, creation and deletion of caches, maintenance, and garbage collections. Freed memory is
/// overwritten, so that reads of it are detected.
/// </summary>
internal sealed class StressRound : IDisposable
{
    public const int Workers = 4;
    public const int Counters = 8;
    private const int ChurnedKeys = 20;

    private readonly StressPlan _plan;
    private readonly StressFailures _failures;
    private readonly CacheStore _store;
    private readonly StressShared _shared;

    public StressRound(StressPlan plan, StressFailures failures)
    {
        _plan = plan;
        _failures = failures;
        _store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = (long)plan.Megabytes << 20, Shards = plan.Shards }, poisonFreedMemory: true);
        _store.CreateCache("c");
        _shared = new StressShared(plan, _store.Find("c")!, failures);
    }

    /// <returns>The number of operations done.</returns>
    public long Run(TimeSpan time)
    {
        StressWorker[] workers = [.. Enumerable.Range(0, Workers).Select(id => new StressWorker(id, _shared))];
        List<Action> work = [.. workers.Select(worker => (Action)worker.Run), Maintain, Churn, Collect];
        if (_plan.Evicts)
        {
            work.Add(Flush);
        }

        Thread[] threads = [.. work.Select(one => new Thread(() => Guard(one)))];
        Array.ForEach(threads, thread => thread.Start());
        Thread.Sleep(time);
        _shared.Stop();
        Array.ForEach(threads, thread => thread.Join());
        CheckAtRest(workers);
        return workers.Sum(worker => worker.Operations);
    }

    public void Dispose() => _store.Dispose();

    private void CheckAtRest(StressWorker[] workers)
    {
        Guard(_store.AssertValid);
        CacheStatistics counts = _store.GetStatistics().Caches.Single(cache => cache.Name == "c");
        (long hits, long misses, long sets) = (workers.Sum(worker => worker.Hits), workers.Sum(worker => worker.Misses), workers.Sum(worker => worker.Sets));
        _failures.Check(counts.Hits == hits && counts.Misses == misses, $"{counts.Hits} hits and {counts.Misses} misses counted, {hits} and {misses} made");

        // Sets that are concurrent with a flush are not always counted.
        _failures.Check(counts.Sets <= sets && sets - counts.Sets <= (_plan.Evicts ? sets / 100 : 0), $"{counts.Sets} sets counted, {sets} made");
        for (int i = 0; i < Counters && !_plan.Evicts; i++)
        {
            long added = workers.Sum(worker => worker.Added[i]);
            IncrementOutcome outcome = _shared.Cache.Increment(StressWorker.CounterKey(i), 0, StressWorker.HourMs, out long value);
            _failures.Check(outcome == IncrementOutcome.Ok && value == added, $"a counter is {value}, {added} were added");
        }

        _store.FlushCache("c");
        for (int i = 0; i < 400; i++)
        {
            _store.Maintain();
        }

        Guard(_store.AssertValid);
        StoreStatistics after = _store.GetStatistics();
        _failures.Check(
            after.Bytes + after.OverheadBytes + after.FragmentationBytes + after.FlushedBytes == after.UsedMemoryBytes,
            "the figures add up to the memory used");
        _failures.Check(after.UsedMemoryBytes <= after.MaxMemoryBytes, $"{after.UsedMemoryBytes} bytes held, the limit is {after.MaxMemoryBytes}");
    }

    private void Maintain()
    {
        var random = new Random(_plan.Seed + 100);
        while (!_shared.Stopped)
        {
            Thread.Sleep(random.Next(30));
            _store.GetStatistics();
            _store.Maintain();
        }
    }

    private void Flush()
    {
        var random = new Random(_plan.Seed + 101);
        while (!_shared.Stopped)
        {
            Thread.Sleep(random.Next(3) == 0 ? random.Next(5) : random.Next(300));
            long[] before = _shared.Completed();
            _store.FlushCache("c");
            _shared.Flushed = before;
        }
    }

    // Creates and deletes caches. Each of these is a failure: an entry in a new cache, a value of an earlier cache of the same name, a value in a deleted
    // cache.
    private void Churn()
    {
        var random = new Random(_plan.Seed + 102);
        byte[] value = new byte[64];
        for (int generation = 1; !_shared.Stopped; generation++)
        {
            string name = $"t{random.Next(6)}";
            if (_store.CreateCache(name))
            {
                FillNew(_store.Find(name)!, generation, value);
            }
            else if (random.Next(2) == 0)
            {
                Cache old = _store.Find(name)!;
                _store.DeleteCache(name);
                old.Set([1], value, 1000);
                bool stored = old.SetIf([1], value, 1000, SetCondition.Absent) || old.Increment([2], 1, 1000, out _) != IncrementOutcome.NoCache;
                _failures.Check(!stored && !old.Contains([1]), "a deleted cache holds a key or reports one stored");
            }
            else
            {
                _store.FlushCache(name);
            }

            if (random.Next(20) == 0)
            {
                Thread.Sleep(1);
            }
        }
    }

    private void FillNew(Cache cache, int generation, byte[] value)
    {
        for (byte key = 0; key < ChurnedKeys; key++)
        {
            _failures.Check(!cache.Contains([key]), "a new cache holds a key");
            StressValue.Fill(value, key, generation, value.Length);
            cache.Set([key], value, 10_000);
            cache.Set([key], value, 10_000);
            var sink = new StressSink(key, _failures);
            _failures.Check(!cache.TryGet([key], ref sink) || sink.Version == generation, "a new cache holds another's value");
        }
    }

    private void Collect()
    {
        var random = new Random(_plan.Seed + 103);
        while (!_shared.Stopped)
        {
            Thread.Sleep(random.Next(10));
            GC.Collect(random.Next(50) == 0 ? 2 : 0, GCCollectionMode.Forced, blocking: true);
        }
    }

    private void Guard(Action work)
    {
        try
        {
            work();
        }
        catch (Exception failure)
        {
            // Prints and counts the exception, so that the run continues and reports its failures at the end.
            _failures.Add(failure.ToString());
        }
    }
}
