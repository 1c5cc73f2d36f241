using System.Diagnostics;
using System.Globalization;

namespace Larder.Store.Bench;

/// <summary>Resident memory: beside Redis with the same data, when filled to five times the limit, and over many overwrites.</summary>
internal static class MemoryTable
{
    private const int ValueBytes = 100;
    private const long LimitBytes = 512L << 20;
    private const int Overwrites = 20_000_000;
    private const int OverwrittenKeys = 100_000;
    private const int ResidentSamples = 100;

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
            PrintOverwritten();
        }
    }

    private static void PrintBesideRedis()
    {
        Console.WriteLine();
        Console.WriteLine($"## Memory: 16-byte keys, {ValueBytes}-byte values, a TTL of an hour; resident MiB of a process holding nothing else");
        Console.WriteLine();
        Console.WriteLine("| entries | Larder.Store, whole process | of it the store | bytes an entry beyond key and value | redis-server | redis-server without TTLs | ratio |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        foreach (int entries in new[] { 1_000_000, 5_000_000 })
        {
            string[] words = ChildProcess.Run("child-memory", entries.ToString(CultureInfo.InvariantCulture));
            double redis = Redis(entries, withTtl: true);
            double plain = Redis(entries, withTtl: false);
            Console.WriteLine($"| {entries:N0} | {words[0]} | {words[1]} | {words[2]} | {redis:F2} | {plain:F2} | {ChildProcess.Number(words[0]) / redis:F2} |");
        }
    }

    private static void PrintOverfilled()
    {
        string[] full = ChildProcess.Run("child-overfill");
        Console.WriteLine();
        Console.WriteLine($"S1, filled to five times a limit of {LimitBytes >> 20} MiB with values of 1 byte to 100,000 (log-uniform): resident {full[0]} MiB, {full[1]} x the limit, of which {full[2]} before the first set; keys and values {full[3]} MiB; p99 of a set {full[4]} us in the second fifth, {full[5]} us in the last.");
    }

    private static void PrintOverwritten()
    {
        string[] churn = ChildProcess.Run("child-churn");
        Console.WriteLine();
        Console.WriteLine($"{Overwrites:N0} overwrites of {OverwrittenKeys:N0} keys with values of 16 to 2,000 bytes: resident {churn[0]} MiB after the first tenth; mean of the third quarter {churn[1]} MiB, of the last {churn[2]} MiB ({churn[3]} x), at most {churn[4]} MiB in the first half and {churn[5]} in the second; live keys and values {churn[6]} MiB; memory that the store holds, means of the same two quarters, {churn[7]} and {churn[8]} MiB.");
    }

    public static void RunFilled(int entries)
    {
        using var store = new LarderFilled(4L << 30);
        Fill.Entries(store, entries, ValueBytes);
        StoreStatistics statistics = store.Store.GetStatistics();
        double resident = ChildProcess.ResidentMiB(Environment.ProcessId);
        double overhead = (double)statistics.OverheadBytes / statistics.Entries;
        Console.WriteLine($"{ChildProcess.Text(resident)} {ChildProcess.Text(statistics.UsedMemoryBytes / 1048576.0)} {ChildProcess.Text(overhead)}");
    }

    public static void RunOverfill()
    {
        using var store = new LarderFilled(LimitBytes);
        double before = ChildProcess.ResidentMiB(Environment.ProcessId);
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

        double resident = ChildProcess.ResidentMiB(Environment.ProcessId);
        double ratio = resident * 1048576 / LimitBytes;
        double live = store.Store.GetStatistics().Bytes / 1048576.0;
        Console.WriteLine(string.Join(' ', ((double[])[resident, ratio, before, live, fifths[1].PercentileUs(99), fifths[4].PercentileUs(99)]).Select(ChildProcess.Text)));
    }

    public static void RunChurn()
    {
        using var store = new LarderFilled(2L << 30);
        var random = new Random(6);
        byte[] key = new byte[StoreContender.KeyBytes];
        byte[] value = new byte[2000];
        var resident = new List<double>(ResidentSamples);
        var held = new List<double>(ResidentSamples);
        for (int i = 1; i <= Overwrites; i++)
        {
            StoreContender.FormatKey(random.Next(OverwrittenKeys), key);
            store.Set(key, value.AsSpan(0, 16 + (int)Math.Pow(1984, random.NextDouble())));
            if (i % (Overwrites / ResidentSamples) == 0)
            {
                resident.Add(ChildProcess.ResidentMiB(Environment.ProcessId));
                held.Add(store.Store.GetStatistics().UsedMemoryBytes / 1048576.0);
            }
        }

        store.Store.AssertValid();
        double live = store.Store.GetStatistics().Bytes / 1048576.0;
        (double third, double last) = LastQuarters(resident);
        (double heldThird, double heldLast) = LastQuarters(held);
        double[] figures = [resident[(ResidentSamples / 10) - 1], third, last, last / third, resident.Take(ResidentSamples / 2).Max(), resident.Skip(ResidentSamples / 2).Max(), live, heldThird, heldLast];
        Console.WriteLine(string.Join(' ', figures.Select(ChildProcess.Text)));
    }

    private static (double Third, double Last) LastQuarters(List<double> samples) =>
        (samples.Skip(ResidentSamples / 2).Take(ResidentSamples / 4).Average(), samples.Skip(ResidentSamples * 3 / 4).Average());

    private static double Redis(int entries, bool withTtl)
    {
        using var redis = new RedisProcess();
        redis.Fill(entries, ValueBytes, withTtl);
        return redis.ResidentMiB;
    }
}
