using System.Diagnostics;
using System.Globalization;
using Larder.Store.Bench.FirstEngine;

namespace Larder.Store.Bench;

/// <summary>Measures the pauses of full garbage collections, and the latency of gets during the collections.</summary>
internal static class PauseTable
{
    private const int Collections = 15;

    // The number of collections that are not counted. The runtime compiles hot code during them, which also stops the threads.
    private const int WarmUps = 20;
    private const int ValueBytes = 100;

    public static void Print()
    {
        Console.WriteLine();
        Console.WriteLine(
            $"## Full, blocking collections: longest pause of {Collections} after {WarmUps} that warm up, and p99.9 of gets made during them, each row in "
                + $"its own process");
        Console.WriteLine();
        Console.WriteLine("| engine | entries | longest pause, ms | get p99.9, us | get maximum, us |");
        Console.WriteLine("|---|---|---|---|---|");
        var pauses = new List<double>();
        foreach ((string engine, int entries) in new[] { ("larder", 50_000), ("larder", 5_000_000), ("first", 50_000), ("first", 5_000_000) })
        {
            string[] words = BenchChild.Run("child-gc", engine, entries.ToString(CultureInfo.InvariantCulture));
            pauses.Add(BenchChild.Number(words[0]));
            Console.WriteLine($"| {(engine == "larder" ? "Larder.Store" : "first engine")} | {entries:N0} | {words[0]} | {words[1]} | {words[2]} |");
        }

        Console.WriteLine();
        Console.WriteLine(
            $"Larder.Store: the pause with 5,000,000 entries is {pauses[1] / pauses[0]:F2} x that with 50,000; the first engine's {pauses[3] / pauses[2]:F2} x."
        );
    }

    public static void RunChild(string engine, int entries)
    {
        IFilled store = engine == "larder" ? new LarderFilled(2L << 30) : new FirstStore(4L << 30);
        Fill.Entries(store, entries, ValueBytes);
        GC.Collect();
        var latencies = new Latencies();
        using var stop = new CancellationTokenSource();
        var reader = new Thread(() => Read(store, entries, latencies, stop.Token));
        reader.Start();
        double longest = 0;
        for (int i = -WarmUps; i < Collections; i++)
        {
            GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: false);
            if (i < 0)
            {
                Thread.Sleep(50);
                continue;
            }

            foreach (TimeSpan pause in GC.GetGCMemoryInfo(GCKind.FullBlocking).PauseDurations)
            {
                longest = Math.Max(longest, pause.TotalMilliseconds);
            }

            Thread.Sleep(20);
        }

        stop.Cancel();
        reader.Join();
        Console.WriteLine($"{BenchChild.Text(longest)} {BenchChild.Text(latencies.PercentileUs(99.9))} {BenchChild.Text(latencies.PercentileUs(100))}");
        (store as IDisposable)?.Dispose();
    }

    private static void Read(IFilled store, int entries, Latencies latencies, CancellationToken stop)
    {
        var random = new Random(1);
        byte[] key = new byte[StoreContender.KeyBytes];
        byte[] value = new byte[ValueBytes];
        while (!stop.IsCancellationRequested)
        {
            StoreContender.FormatKey(random.Next(entries), key);
            long began = Stopwatch.GetTimestamp();
            store.Get(key, value);
            latencies.Add(Stopwatch.GetTimestamp() - began);
        }
    }
}
