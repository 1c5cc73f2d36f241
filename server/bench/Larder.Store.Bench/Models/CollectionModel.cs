
namespace Larder.Store.Bench;

/// <summary>
/// Random operations on collections of all types, and on scalars under the same keys, against plain .NET collections: each thread has its own keys, mixed with
/// the others' in all shards. Between phases the clock moves on, the cache may be flushed, and the store's invariants are walked. Memory that is freed is
/// overwritten, so that a read of it shows.
/// </summary>
/// <param name="threads">Threads.</param>
/// <param name="keysPerThread">Keys of each.</param>
/// <param name="memoryBytes">The store's memory: with less than all need, answers may also be those of a key that was evicted.</param>
/// <param name="evicts">Whether that may be.</param>
/// <param name="seed">Where chance begins.</param>
internal sealed class CollectionModel(int threads, int keysPerThread, long memoryBytes, bool evicts, int seed)
{
    private const int OperationsPerPhase = 10_000;
    private const double Flushes = 0.1;

    /// <summary>Runs until the operations are done.</summary>
    /// <returns>Operations done, and how often a key had been evicted.</returns>
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
