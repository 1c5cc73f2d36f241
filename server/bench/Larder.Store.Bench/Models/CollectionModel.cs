
namespace Larder.Store.Bench;

/// <summary>
/// Random operations on collections of all types, and on scalars under the same keys, compared with plain .NET collections. Each thread has its own keys, and
/// all shards contain keys of all threads. Between phases the clock advances, the cache may be flushed, and the store's invariants are checked. Freed memory is
/// overwritten, so that reads of it are detected.
/// </summary>
/// <param name="threads">The number of threads.</param>
/// <param name="keysPerThread">The number of keys per thread.</param>
/// <param name="memoryBytes">
/// The memory limit of the store. If it is too small for all keys, keys may be evicted, and the response for a missing key is then also valid.
/// </param>
/// <param name="evicts">Whether entries may be evicted.</param>
/// <param name="seed">The seed of the random numbers.</param>
internal sealed class CollectionModel(int threads, int keysPerThread, long memoryBytes, bool evicts, int seed)
{
    private const int OperationsPerPhase = 10_000;
    private const double Flushes = 0.1;

    /// <summary>Runs the given number of operations.</summary>
    /// <returns>The number of operations done, and the number of entries evicted.</returns>
    public (long Done, long Evicted) Run(long operations)
    {
        var clock = new SteppedTime();
        var options = new CacheStoreOptions { MaxMemoryBytes = memoryBytes, TimeProvider = clock, Shards = 4 };
        using var store = new CacheStore(options, poisonFreedMemory: true);
        store.CreateCache("model");
        CollectionNames names = new(12_000);
        CollectionWorker[] workers =
            [.. Enumerable.Range(0, threads).Select(id => new CollectionWorker(store.Find("model")!, names, id, keysPerThread, evicts, seed))];
        var random = new Random(seed);
        long done = 0;
        while (done < operations)
        {
            Thread[] phase = [.. workers.Select(worker => new Thread(() => worker.Phase(clock.NowMs, OperationsPerPhase)))];
            Array.ForEach(phase, thread => thread.Start());
            Array.ForEach(phase, thread => thread.Join());
            Array.ForEach(workers, worker => worker.ThrowIfFailed());
            done += (long)threads * OperationsPerPhase;
            if (random.NextDouble() < Flushes)
            {
                store.FlushCache("model");
                Array.ForEach(workers, worker => worker.Clear());
            }

            store.AssertValid();
            clock.Advance((long)Math.Pow(1_000_000, random.NextDouble()));
            store.Maintain();
            store.AssertValid();
        }

        long evicted = store.GetStatistics().Evictions.Memory;
        Invariant.Holds(evicts || evicted == 0, "nothing was evicted, so that the model is exact");
        return (done, evicted);
    }
}
