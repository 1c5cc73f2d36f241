using System.Diagnostics;
using Larder.Harness;

namespace Larder.Store.Bench;

/// <summary>
/// Compares the store with ConcurrentDictionary by gets and sets per second. Rounds of the two alternate. Results are medians of five rounds.
/// </summary>
internal static class SpeedTable
{
    private const int Keys = 1_000_000;
    private const int ValueBytes = 100;
    private const int Rounds = 5;
    private const int Batch = 256;
    private const int DrawsPerThread = 1_000_000;

    private const int MaxThreads = 2;

    // The store reads overwritten values in a different way from values that were set only once.
    private static readonly (string Keys, string Operation, Work Work)[] s_rows =
    [
        ("Zipf 1.0", "get", Get),
        ("uniform", "get", Get),
        ("Zipf 1.0", "set", Set),
        ("Zipf 1.0", "get after sets", Get),
        ("uniform", "set", Set),
        ("uniform", "get after sets", Get),
    ];

    private delegate void Work(IContender contender, object batch, byte[] buffer);

    /// <summary>Prints the rows whose name, for example "Zipf 1.0 set", contains <paramref name="only"/>.</summary>
    public static void Print(string only)
    {
        Console.WriteLine();
        Console.WriteLine(
            $"## Speed: {Keys:N0} entries, 16-byte keys, {ValueBytes}-byte values copied out, medians of {Rounds} rounds of one and two threads and both in "
                + $"turn, millions a second");
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
        (string Name, int[][] Draws)[] keys = [("Zipf 1.0", Draws(seed => new Zipf(Keys, 1.0).Draw(DrawsPerThread, seed))), ("uniform", Draws(Uniform))];
        foreach ((string name, string operation, Work work) in s_rows)
        {
            if ($"{name} {operation}".Contains(only, StringComparison.Ordinal))
            {
                Rows(contenders, keys.First(one => one.Name == name).Draws, $"| {name} | {operation} |", work);
            }
        }
    }

    private static int[][] Draws(Func<int, int[]> draw) => [.. Enumerable.Range(1, MaxThreads).Select(draw)];

    private static void Rows(IContender[] contenders, int[][] draws, string name, Work work)
    {
        List<double>[,] rates = new List<double>[contenders.Length, MaxThreads + 1];
        for (int round = 0; round <= Rounds; round++)
        {
            for (int threads = 1; threads <= MaxThreads; threads++)
            {
                for (int i = 0; i < contenders.Length; i++)
                {
                    double rate = Measure(contenders[i], draws[..threads], work);

                    // The first round is a warm-up and is not counted.
                    List<double> kept = rates[i, threads] ??= [];
                    if (round > 0)
                    {
                        kept.Add(rate);
                    }
                }
            }
        }

        (double ours, double theirs) alone = (Median.Of(rates[0, 1]), Median.Of(rates[1, 1]));
        Console.WriteLine($"{name} 1 | {alone.ours:F2} | {alone.theirs:F2} | {alone.ours / alone.theirs:F2} |");
        for (int threads = 2; threads <= MaxThreads; threads++)
        {
            (double ours, double theirs) = (Median.Of(rates[0, threads]), Median.Of(rates[1, threads]));
            Console.WriteLine(
                $"{name} {threads} | {ours:F2} ({ours / alone.ours:F2} x one thread) | {theirs:F2} ({theirs / alone.theirs:F2} x) | {ours / theirs:F2} |");
        }
    }

    private static void Get(IContender contender, object batch, byte[] buffer) => contender.Get(batch, buffer);

    private static void Set(IContender contender, object batch, byte[] buffer) => contender.Set(batch, buffer);

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
