using System.Diagnostics;
using Larder.Store;

namespace Larder.Store.Bench;

/// <summary>
/// Measures the cost of a set in a cache at its quota, compared with a cache without quota in a full store. The cost depends on the fraction of entries that
/// belong to the cache, because the eviction hand has to skip the entries of other caches.
/// </summary>
internal static class QuotaTable
{
    private const long MemoryBytes = 1L << 30;
    private const int ValueBytes = 100;
    private const int Sets = 500_000;
    private const int Rounds = 5;
    private const long Hour = 3_600_000;

    public static void Print()
    {
        Console.WriteLine();
        Console.WriteLine($"A set of a new key, {ValueBytes}-byte values, one thread, in ns: median of {Rounds} rounds, one store after the other in each");
        Console.WriteLine("| the cache's part of the entries | without a quota, the store full | at its quota | ratio | most entries a hold |");
        Console.WriteLine("|---:|---:|---:|---:|---:|");
        using CacheStore full = Filled(maxBytes: 0, others: 0, out Cache unlimited);
        Write(unlimited, 8_000_000);
        foreach (int percent in (int[])[100, 10, 2])
        {
            // The quota and the other entries together are smaller than the memory, so evictions are caused by the quota.
            long quota = Math.Min(64L << 20, percent * (8L << 20));
            using CacheStore store = Filled(quota, (int)(quota / 136 * (100 - percent) / percent), out Cache limited);
            Write(limited, (int)(2 * quota / 136));
            List<double> without = [];
            List<double> with = [];
            for (int round = 0; round < Rounds; round++)
            {
                without.Add(Write(unlimited, Sets));
                with.Add(Write(limited, Sets));
            }

            double before = without.Order().ElementAt(Rounds / 2);
            double at = with.Order().ElementAt(Rounds / 2);
            Console.WriteLine($"| {percent} % | {before:F0} | {at:F0} | {at / before:F2} | {store.MaxWork} |");
        }
    }

    private static long s_next;

    private static CacheStore Filled(long maxBytes, int others, out Cache cache)
    {
        var store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = MemoryBytes });
        store.CreateCache("others");
        store.CreateCache("cache", maxBytes);
        Write(store.Find("others")!, others);
        cache = store.Find("cache")!;
        return store;
    }

    private static double Write(Cache cache, int sets)
    {
        Span<byte> key = stackalloc byte[12];
        Span<byte> value = stackalloc byte[ValueBytes];
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < sets; i++)
        {
            BitConverter.TryWriteBytes(key, ++s_next);
            cache.Set(key, value, Hour);
        }

        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / Math.Max(sets, 1);
    }
}
