using System.Diagnostics;
using System.Globalization;

namespace Larder.Store.Bench;

/// <summary>
/// Measures resident memory during many overwrites with values of mixed sizes. Shows whether the memory grows, and which part of it belongs to the store.
/// </summary>
internal static class OverwriteTable
{
    private const int Keys = 100_000;
    private const int MinValueBytes = 16;
    private const int MaxValueBytes = 2000;
    private const long LimitBytes = 2L << 30;
    private const int Parts = 10;
    private const int SamplesPerPart = 10;

    // The number of overwrites before the first measured part, so that the runtime has compiled all code. During these overwrites, as many samples are taken as
    // during all measured parts together.
    private const int WarmUp = 2_000_000;

    // The number of values in a sample: the resident memory, the memory allocated by the store, the memory in use on the garbage-collected heap, and the part
    // of the store's memory that does not contain live entries.
    private const int Figures = 4;

    public static void Print(int overwrites)
    {
        double[] figures = [.. BenchChild.Run("child-churn", overwrites.ToString(CultureInfo.InvariantCulture)).Select(BenchChild.Number)];
        Console.WriteLine();
        Console.WriteLine(
            $"## Memory: {overwrites:N0} overwrites of {Keys:N0} keys with values of {MinValueBytes} to {MaxValueBytes:N0} bytes (log-uniform), limit "
                + $"{LimitBytes >> 20:N0} MiB; MiB, means of {SamplesPerPart} samples; {WarmUp:N0} overwrites before");
        Console.WriteLine();
        Console.WriteLine(
            "| tenth | resident | held by the store | of it not live | in use on the collected heap | the rest: the runtime, its code and files |");
        Console.WriteLine("|---|---|---|---|---|---|");
        for (int part = 0; part < Parts; part++)
        {
            ReadOnlySpan<double> of = figures.AsSpan(part * Figures, Figures);
            Console.WriteLine($"| {part + 1} | {of[0]:F2} | {of[1]:F2} | {of[3]:F2} | {of[2]:F2} | {of[0] - of[1] - of[2]:F2} |");
        }

        double[] resident = [.. Enumerable.Range(0, Parts).Select(part => figures[part * Figures])];
        double half = resident.Take(Parts / 2).Max();
        double live = figures[Parts * Figures];
        Console.WriteLine();
        Console.WriteLine(
            $"Resident in the last tenth {resident[^1] / resident[1]:F3} x the second; highest of the second half "
                + $"{resident.Skip(Parts / 2).Max() / half:F3} x the highest of the first. Live keys and values {live:F2} MiB; {figures[^1] / 1e6:F2} "
                + $"million overwrites a second.");
    }

    public static void Run(int overwrites)
    {
        using var store = new LarderFilled(LimitBytes);
        var random = new Random(6);
        byte[] key = new byte[StoreContender.KeyBytes];
        byte[] value = new byte[MaxValueBytes];
        double[] figures = new double[(Parts * Figures) + 2];
        for (int sample = 0; sample < Parts * SamplesPerPart; sample++)
        {
            Overwrite(store, random, WarmUp / (Parts * SamplesPerPart), key, value);
            Sample(store.Store, new double[Figures]);
        }

        GC.Collect();
        var watch = Stopwatch.StartNew();
        for (int sample = 0; sample < Parts * SamplesPerPart; sample++)
        {
            Overwrite(store, random, overwrites / (Parts * SamplesPerPart), key, value);
            Sample(store.Store, figures.AsSpan(sample / SamplesPerPart * Figures, Figures));
        }

        figures[^1] = overwrites / watch.Elapsed.TotalSeconds;
        store.Store.AssertValid();
        figures[^2] = MiB(store.Store.GetStatistics().Bytes);
        Console.WriteLine(string.Join(' ', figures.Select(BenchChild.Text)));
    }

    private static void Overwrite(LarderFilled store, Random random, int times, byte[] key, byte[] value)
    {
        for (int i = 0; i < times; i++)
        {
            StoreContender.FormatKey(random.Next(Keys), key);
            store.Set(key, value.AsSpan(0, MinValueBytes + (int)Math.Pow(MaxValueBytes - MinValueBytes, random.NextDouble())));
        }
    }

    private static void Sample(CacheStore store, Span<double> sums)
    {
        StoreStatistics statistics = store.GetStatistics();
        sums[0] += BenchChild.ResidentMiB(Environment.ProcessId) / SamplesPerPart;
        sums[1] += MiB(statistics.UsedMemoryBytes) / SamplesPerPart;
        sums[2] += MiB(GC.GetTotalMemory(forceFullCollection: false)) / SamplesPerPart;
        sums[3] += MiB(statistics.FragmentationBytes) / SamplesPerPart;
    }

    private static double MiB(long bytes) => bytes / 1048576.0;
}
