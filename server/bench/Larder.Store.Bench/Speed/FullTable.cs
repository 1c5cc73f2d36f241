using System.Diagnostics;
using Larder.Harness;

namespace Larder.Store.Bench;

/// <summary>
/// Measures the cost of setting a new key, of a hit and of a miss in a store at its memory limit. Each new entry evicts another one. Value sizes vary slightly,
/// so that the load of the index varies.
/// </summary>
internal static class FullTable
{
    private const long LimitBytes = 256L << 20;
    private const int Batch = 4096;
    private const int Turnovers = 4;
    private const int Rounds = 60;
    private static readonly int[] s_valueBytes = [84, 92, 100, 108, 116, 124, 132];

    public static void Print()
    {
        Console.WriteLine();
        Console.WriteLine(
            $"## Full: {LimitBytes >> 20} MiB, 16-byte keys, one thread, after {Turnovers} times as many sets of new keys as it holds; nanoseconds a call, "
                + $"medians of {Rounds} rounds of {Batch:N0} calls");
        Console.WriteLine();
        Console.WriteLine("| value, bytes | entries | set of a new key | get of a key that is there | of one that is not |");
        Console.WriteLine("|---|---|---|---|---|");
        foreach (int bytes in s_valueBytes)
        {
            Row(bytes);
        }
    }

    private static void Row(int valueBytes)
    {
        using var store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = LimitBytes, Shards = 1 });
        store.CreateCache("bench");
        var contender = new StoreContender(store.Find("bench")!);
        byte[] value = new byte[valueBytes];
        int next = 0;
        for (long left = Turnovers * (LimitBytes / (valueBytes + 40)); left > 0; left -= Batch)
        {
            contender.Set(contender.Prepare(Keys(next)), value);
            next += Batch;
        }

        List<double>[] times = [[], [], []];
        for (int round = 0; round < Rounds; round++)
        {
            Time(times[0], Keys(next), batch => contender.Set(batch, value));
            next += Batch;
            Time(times[1], Keys(next - Batch), batch => contender.Get(batch, value));
            Time(times[2], Keys(int.MaxValue - (round * Batch) - Batch), batch => contender.Get(batch, value));
        }

        Console.WriteLine($"| {valueBytes} | {store.GetStatistics().Entries:N0} | {string.Join(" | ", times.Select(one => $"{Median.Of(one):F0}"))} |");

        void Time(List<double> into, int[] keys, Action<object> work)
        {
            object batch = contender.Prepare(keys);
            long began = Stopwatch.GetTimestamp();
            work(batch);
            into.Add(Stopwatch.GetElapsedTime(began).TotalNanoseconds / Batch);
        }
    }

    private static int[] Keys(int first) => [.. Enumerable.Range(first, Batch)];
}
