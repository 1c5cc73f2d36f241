using System.Diagnostics;
using System.Globalization;

namespace Larder.Store.Bench;

/// <summary>
/// Measures resident memory in three cases: with the same data as Redis, when filled to five times the limit, and (in OverwriteTable.cs) during many
/// overwrites.
/// </summary>
internal static class MemoryTable
{
    private const int ValueBytes = 100;
    private const long LimitBytes = 512L << 20;

    public static void Print(string only)
    {
        if ("redis".Contains(only, StringComparison.Ordinal))
        {
            PrintBesideRedis();
        }

        if ("limit".Contains(only, StringComparison.Ordinal))
        {
            PrintOverfilled();
        }

        if ("overwrites".Contains(only, StringComparison.Ordinal))
        {
            OverwriteTable.Print(20_000_000);
        }

        // Runs only if named, because it takes more than a minute.
        if (only == "long")
        {
            OverwriteTable.Print(100_000_000);
        }
    }

    private static void PrintBesideRedis()
    {
        Console.WriteLine();
        Console.WriteLine($"## Memory: 16-byte keys, {ValueBytes}-byte values, a TTL of an hour; resident MiB of a process holding nothing else");
        Console.WriteLine();
        Console.WriteLine(
            "| entries | Larder.Store, whole process | of it the store | bytes an entry beyond key and value | redis-server | redis-server without TTLs | "
                + "ratio |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        foreach (int entries in new[] { 1_000_000, 5_000_000 })
        {
            string[] words = BenchChild.Run("child-memory", entries.ToString(CultureInfo.InvariantCulture));
            double redis = Redis(entries, withTtl: true);
            double plain = Redis(entries, withTtl: false);
            Console.WriteLine(
                $"| {entries:N0} | {words[0]} | {words[1]} | {words[2]} | {redis:F2} | {plain:F2} | {BenchChild.Number(words[0]) / redis:F2} |");
        }
    }

    private static void PrintOverfilled()
    {
        string[] full = BenchChild.Run("child-overfill");
        Console.WriteLine();
        Console.WriteLine(
            $"S1, filled to five times a limit of {LimitBytes >> 20} MiB with values of 1 byte to 100,000 (log-uniform): resident {full[0]} MiB, {full[1]} "
                + $"x the limit, of which {full[2]} before the first set; keys and values {full[3]} MiB; p99 of a set {full[4]} us in the second fifth, "
                + $"{full[5]} us in the last.");
    }

    public static void RunFilled(int entries)
    {
        using var store = new LarderFilled(4L << 30);
        Fill.Entries(store, entries, ValueBytes);
        StoreStatistics statistics = store.Store.GetStatistics();
        double resident = BenchChild.ResidentMiB(Environment.ProcessId);
        double overhead = (double)statistics.OverheadBytes / statistics.Entries;
        Console.WriteLine($"{BenchChild.Text(resident)} {BenchChild.Text(statistics.UsedMemoryBytes / 1048576.0)} {BenchChild.Text(overhead)}");
    }

    public static void RunOverfill()
    {
        using var store = new LarderFilled(LimitBytes);
        double before = BenchChild.ResidentMiB(Environment.ProcessId);
        var random = new Random(5);
        byte[] key = new byte[StoreContender.KeyBytes];
        byte[] value = new byte[100_000];
        random.NextBytes(value);
        Latencies[] fifths = [.. Enumerable.Range(0, 5).Select(_ => new Latencies())];
        long written = 0;
        for (int i = 0; written < 5 * LimitBytes; i++)
        {
            int length = (int)Math.Pow(value.Length, random.NextDouble());
            StoreContender.FormatKey(i, key);
            long began = Stopwatch.GetTimestamp();
            store.Set(key, value.AsSpan(0, length));
            fifths[written / LimitBytes].Add(Stopwatch.GetTimestamp() - began);
            written += length + key.Length;
        }

        double resident = BenchChild.ResidentMiB(Environment.ProcessId);
        double ratio = resident * 1048576 / LimitBytes;
        double live = store.Store.GetStatistics().Bytes / 1048576.0;
        Console.WriteLine(
            string.Join(' ', ((double[])[resident, ratio, before, live, fifths[1].PercentileUs(99), fifths[4].PercentileUs(99)]).Select(BenchChild.Text)));
    }

    private static double Redis(int entries, bool withTtl)
    {
        using var redis = new RedisProcess();
        redis.Fill(entries, ValueBytes, withTtl);
        return redis.ResidentMiB;
    }
}
