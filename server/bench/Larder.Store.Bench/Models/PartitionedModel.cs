using System.Buffers.Binary;
using System.Diagnostics;

namespace Larder.Store.Bench;

/// <summary>
/// Random operations on several threads, compared with dictionaries. Each thread has its own keys, so it knows exactly which value each key must have. All
/// shards contain keys of all threads. Between phases the clock advances and the store's invariants are checked.
/// </summary>
internal sealed class PartitionedModel(int threads, int keysPerThread)
{
    private const int OperationsPerPhase = 50_000;

    /// <summary>Runs until the time has passed or the number of operations is reached.</summary>
    /// <returns>The number of operations done.</returns>
    public long Run(TimeSpan atMost, long operations)
    {
        var clock = new SteppedTime();
        using var store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = 1L << 30, TimeProvider = clock, Shards = 4 }, poisonFreedMemory: true);
        store.CreateCache("model");
        Worker[] workers = [.. Enumerable.Range(0, threads).Select(id => new Worker(store.Find("model")!, id, keysPerThread))];
        var watch = Stopwatch.StartNew();
        var random = new Random(99);
        long done = 0;
        while (watch.Elapsed < atMost && done < operations)
        {
            Thread[] phase = [.. workers.Select(worker => new Thread(() => worker.Phase(clock.NowMs, OperationsPerPhase)))];
            Array.ForEach(phase, thread => thread.Start());
            Array.ForEach(phase, thread => thread.Join());
            foreach (Worker worker in workers)
            {
                worker.ThrowIfFailed();
            }

            done += (long)threads * OperationsPerPhase;
            store.AssertValid();
            clock.Advance((long)Math.Pow(10_000_000, random.NextDouble()));
            store.Maintain();
        }

        Invariant.Holds(store.GetStatistics().Evictions.Memory == 0, "nothing was evicted, so that the model is exact");
        return done;
    }

    private sealed class Worker(Cache cache, int id, int keys)
    {
        private readonly Random _random = new(id);
        private readonly (byte[]? Value, long ExpiresAtMs)[] _held = new (byte[]?, long)[keys];
        private readonly byte[] _key = new byte[12];
        private Exception? _failure;

        public void Phase(long nowMs, int operations)
        {
            try
            {
                for (int i = 0; i < operations; i++)
                {
                    Step(nowMs);
                }
            }
            catch (Exception failure)
            {
                // The thread that started this thread rethrows the exception.
                _failure = failure;
            }
        }

        public void ThrowIfFailed()
        {
            if (_failure is not null)
            {
                throw new InvalidOperationException("The store and its model differ.", _failure);
            }
        }

        private void Step(long nowMs)
        {
            int index = _random.Next(_held.Length);
            BinaryPrimitives.WriteInt32LittleEndian(_key, index);
            BinaryPrimitives.WriteInt32LittleEndian(_key.AsSpan(4), id);
            ref (byte[]? Value, long ExpiresAtMs) held = ref _held[index];
            if (held.Value is not null && held.ExpiresAtMs <= nowMs)
            {
                held.Value = null;
            }

            long ttlMs = 1 + (long)Math.Pow(86_000_000, _random.NextDouble());
            switch (_random.Next(9))
            {
                case < 4:
                    var sink = new ComparingSink(held.Value);
                    Invariant.Holds(cache.TryGet(_key, ref sink) == held.Value is not null, "a get finds what the model holds");
                    break;
                case 4:
                    Invariant.Holds(cache.Delete(_key) == held.Value is not null, "a delete removes what the model holds");
                    held.Value = null;
                    break;
                case 5:
                    bool set = cache.UpdateTtl(_key, TtlUpdate.OverwriteTo, ttlMs) == TtlUpdateOutcome.Set;
                    Invariant.Holds(set == held.Value is not null, "a TTL update finds what the model holds");
                    held.ExpiresAtMs = nowMs + ttlMs;
                    break;
                case 6:
                    byte[] absent = NewValue(index);
                    bool stored = cache.SetIf(_key, absent, ttlMs, SetCondition.Absent);
                    Invariant.Holds(stored == held.Value is null, "a set of what is absent stores where the model holds nothing");
                    held = stored ? (absent, nowMs + ttlMs) : held;
                    break;
                default:
                    byte[] value = NewValue(index);
                    cache.Set(_key, value, ttlMs);
                    held = (value, nowMs + ttlMs);
                    break;
            }
        }

        private byte[] NewValue(int index)
        {
            // If the index is even, the value keeps its length, so it is overwritten in place. One value in a thousand is large enough for its own segment.
            int length = index % 2 == 0 ? index % 1500 : (int)Math.Pow(3000, _random.NextDouble());
            byte[] value = new byte[_random.Next(1000) == 0 ? 200_000 : length];
            _random.NextBytes(value);
            return value;
        }
    }

    private readonly struct ComparingSink(byte[]? expected) : IValueSink
    {
        public void Accept(ReadOnlySpan<byte> value) => Invariant.Holds(value.SequenceEqual(expected), "a value is the one last set");
    }
}
