using System.Diagnostics;

namespace Larder.Store.Bench;

/// <summary>Gets and sets a second beside the concurrent dictionary's: alternating rounds, medians of five.</summary>
internal static class SpeedTable
{
    private const int Keys = 1_000_000;
    private const int ValueBytes = 100;
    private const int Rounds = 5;
    private const int Batch = 256;
    private const int DrawsPerThread = 1_000_000;

    private delegate void Work(IContender contender, object batch, byte[] buffer);

    public static void Print()
    {
        Console.WriteLine();
        Console.WriteLine($"## Speed: {Keys:N0} entries, 16-byte keys, {ValueBytes}-byte values copied out, medians of {Rounds} alternating rounds, millions a second");
        Console.WriteLine();
        using var store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = 1L << 30 });
        store.CreateCache("bench");
        IContender[] contenders = [new StoreContender(store.Find("bench")!), new DictionaryContender()];
        foreach (IContender contender in contenders)
        {
            Fill(contender);
        }

        Console.WriteLine("| keys | operation | threads | Larder.Store | ConcurrentDictionary | ratio |");
        Console.WriteLine("|---|---|---|---|---|---|");
        foreach (bool zipf in new[] { true, false })
        {
            int[][] draws = [.. Enumerable.Range(1, 2).Select(seed => zipf ? new Zipf(Keys, 1.0).Draw(DrawsPerThread, seed) : Uniform(seed))];
            Row(contenders, draws, zipf, "get", static (c, batch, buffer) => c.Get(batch, buffer));
            Row(contenders, draws, zipf, "set", static (c, batch, buffer) => c.Set(batch, buffer));
        }
    }

    private static void Row(IContender[] contenders, int[][] draws, bool zipf, string operation, Work work)
    {
        double alone = 0;
        for (int threads = 1; threads <= 2; threads++)
        {
            var rates = contenders.Select(_ => new List<double>()).ToArray();
            for (int round = 0; round <= Rounds; round++)
            {
                for (int i = 0; i < contenders.Length; i++)
                {
                    double rate = Measure(contenders[i], draws[..threads], work);
                    if (round > 0)
                    {
                        rates[i].Add(rate);
                    }
                }
            }

            double ours = Medians.Of(rates[0]);
            double theirs = Medians.Of(rates[1]);
            string scaling = threads == 1 ? "" : $" ({ours / alone:F2} x one thread)";
            alone = ours;
            Console.WriteLine($"| {(zipf ? "Zipf 1.0" : "uniform")} | {operation} | {threads} | {ours:F2}{scaling} | {theirs:F2} | {ours / theirs:F2} |");
        }
    }

    private static double Measure(IContender contender, int[][] draws, Work work)
    {
        GC.Collect();
        double[] rates = new double[draws.Length];
        using var start = new Barrier(draws.Length);
        Thread[] threads = [.. draws.Select((keys, index) => new Thread(() =>
        {
            start.SignalAndWait();
            rates[index] = MeasureThread(contender, keys, work);
        }))];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        return rates.Sum() / 1e6;
    }

    private static double MeasureThread(IContender contender, int[] keys, Work work)
    {
        byte[] buffer = new byte[ValueBytes];
        long ticks = 0;
        for (int at = 0; at + Batch <= keys.Length; at += Batch)
        {
            object batch = contender.Prepare(keys.AsSpan(at, Batch));
            long began = Stopwatch.GetTimestamp();
            work(contender, batch, buffer);
            ticks += Stopwatch.GetTimestamp() - began;
        }

        return keys.Length / Batch * Batch / (ticks / (double)Stopwatch.Frequency);
    }

    private static void Fill(IContender contender)
    {
        byte[] value = new byte[ValueBytes];
        int[] keys = [.. Enumerable.Range(0, Keys)];
        new Random(3).Shuffle(keys);
        for (int at = 0; at < Keys; at += Batch)
        {
            contender.Set(contender.Prepare(keys.AsSpan(at, Math.Min(Batch, Keys - at))), value);
        }
    }

    private static int[] Uniform(int seed)
    {
        var random = new Random(seed);
        int[] draws = new int[DrawsPerThread];
        for (int i = 0; i < draws.Length; i++)
        {
            draws[i] = random.Next(Keys);
        }

        return draws;
    }
}
