using System.Diagnostics;
using System.Globalization;
using System.Text;
using Larder.Harness;
using Larder.Store.Collections;
using Larder.Store.Snapshots;

namespace Larder.Store.Bench;

/// <summary>
/// Measures writing a million entries to a file and loading them: duration, size, and the effect on the latency of concurrent gets and sets. Measures the same
/// for ten thousand dictionaries, and for one dictionary with a million fields.
/// </summary>
internal static class SnapshotTable
{
    private const int Entries = 1_000_000;
    private const int ValueBytes = 100;
    private const long MemoryBytes = 512L << 20;
    private const int Dictionaries = 10_000;
    private const int Fields = 100;
    private const int ManyFields = 1_000_000;
    private const int FieldsPerCall = 1_000;
    private const int FieldValueBytes = 20;
    private const long HourMs = 3_600_000;
    private const int Rounds = 5;
    private const int MaxThreads = 2;
    private static readonly LatencyTraffic s_traffic = new(NewKeys: false, ValueBytes, long.MaxValue, TimeSpan.FromSeconds(5));

    public static void Print()
    {
        string folder = Directory.CreateTempSubdirectory("larder-snapshot-bench-").FullName;
        try
        {
            using SnapshotFile file = SnapshotFile.Open(Path.Combine(folder, "store.snapshot"));
            LatencyRun.WarmUp(MaxThreads);
            using LatencyRun run = new(shards: 0, MemoryBytes);
            run.FillEntries(Entries, ValueBytes);
            PrintAlone(run.Store, file, $"{Entries:N0} entries of {ValueBytes} bytes with keys of 16", Entries, shards: 0);
            PrintBeside(run, file);
            run.Store.AssertValid();
            PrintDictionaries(run, file);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static void PrintDictionaries(LatencyRun run, SnapshotFile file)
    {
        using (CacheStore one = new(new CacheStoreOptions { MaxMemoryBytes = MemoryBytes, Shards = 1 }))
        {
            one.CreateCache("cache");
            Add(one.Find("cache")!, "one", ManyFields);
            PrintAlone(one, file, $"a dictionary of {ManyFields:N0} fields of {FieldValueBytes} bytes", 1, shards: 1);
        }

        using CacheStore many = new(new CacheStoreOptions { MaxMemoryBytes = MemoryBytes });
        many.CreateCache("cache");
        AddDictionaries(many.Find("cache")!);
        PrintAlone(many, file, $"{Dictionaries:N0} dictionaries of {Fields} fields of {FieldValueBytes} bytes", Dictionaries, shards: 0);
        AddDictionaries(run.Store.Find("go")!);
        Console.WriteLine();
        Console.WriteLine($"Those dictionaries beside the {Entries:N0} entries:");
        PrintBeside(run, file);
        run.Store.AssertValid();
    }

    private static void AddDictionaries(Cache cache)
    {
        for (int i = 0; i < Dictionaries; i++)
        {
            Add(cache, $"dictionary {i}", Fields);
        }
    }

    private static void Add(Cache cache, string key, int fields)
    {
        CollectionItem[] items = new CollectionItem[Math.Min(fields, FieldsPerCall)];
        using MemoryStream bytes = new();
        for (int first = 0; first < fields; first += items.Length)
        {
            bytes.SetLength(0);
            for (int i = 0; i < items.Length; i++)
            {
                int at = (int)bytes.Length;
                bytes.Write(Encoding.ASCII.GetBytes($"field {first + i}"));
                items[i] = new CollectionItem(at, (int)bytes.Length - at, (int)bytes.Length, FieldValueBytes);
                bytes.Write(new byte[FieldValueBytes]);
            }

            CollectionBatch batch = new(bytes.ToArray(), items);
            if (cache.DictionarySet(Encoding.ASCII.GetBytes(key), batch, new CollectionTtl(HourMs, Refresh: true)) != CollectionOutcome.Ok)
            {
                throw new InvalidOperationException($"The store has no room for {key}.");
            }
        }
    }

    private static void PrintAlone(CacheStore store, SnapshotFile file, string what, long entries, int shards)
    {
        List<double> writes = [], reads = [], plain = [];
        long bytes = 0;
        for (int round = 0; round <= Rounds; round++)
        {
            GC.Collect();
            double write = Seconds(() => bytes = file.Write(store).Bytes);
            using CacheStore after = new(new CacheStoreOptions { MaxMemoryBytes = MemoryBytes, Shards = shards });
            double read = Seconds(() => Check(file.Load(after)!.Entries, entries));
            double copy = Seconds(() => WritePlain(file.Path + ".plain", bytes));
            if (round > 0)
            {
                // Skips the first round, in which the runtime compiles the code.
                writes.Add(write);
                reads.Add(read);
                plain.Add(copy);
            }
        }

        Console.WriteLine();
        Console.WriteLine($"## Snapshot: {what}, medians of {Rounds}, the disk's sync included");
        Console.WriteLine();
        Console.WriteLine("| | s | MB/s |");
        Console.WriteLine("|---|---|---|");
        PrintRow("written", Median.Of(writes), bytes);
        PrintRow("loaded into an empty store", Median.Of(reads), bytes);
        PrintRow("as many zeros written and synchronised", Median.Of(plain), bytes);
        Console.WriteLine();
        Console.WriteLine($"Size {bytes / 1e6:F1} MB, {(double)bytes / entries:F1} bytes an entry; loaded from memory that the system had cached.");
    }

    private static void PrintBeside(LatencyRun run, SnapshotFile file)
    {
        Console.WriteLine();
        Console.WriteLine(
            $"Gets and sets of random keys of them in turn, {s_traffic.MaxTime.TotalSeconds:F0} s at a time, alone and beside snapshots one after another, in "
                + $"turn, microseconds, medians of {Rounds}:");
        Console.WriteLine();
        Console.WriteLine("| threads | call | p50 alone | beside | p99.9 alone | beside | x | p99.99 alone | beside | calls/s alone | beside | s a snapshot |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (int threads = 1; threads <= MaxThreads; threads++)
        {
            List<double[]> alone = [], beside = [];
            List<double> seconds = [];
            for (int round = 0; round < Rounds; round++)
            {
                alone.Add([.. run.Measure(threads, s_traffic).ToFigures()]);
                beside.Add(MeasureBeside(run, threads, file, seconds));
            }

            PrintCalls(threads, "get", 0, alone, beside, seconds);
            PrintCalls(threads, "set", LatencyPhase.PerCall, alone, beside, seconds);
        }
    }

    private static double[] MeasureBeside(LatencyRun run, int threads, SnapshotFile file, List<double> seconds)
    {
        using CancellationTokenSource over = new();
        Task<int> writing = QuietThread.RunAsync("snapshots", () =>
        {
            int written = 0;
            try
            {
                for (; ; written++)
                {
                    seconds.Add(Seconds(() => file.Write(run.Store, over.Token)));
                }
            }
            catch (OperationCanceledException)
            {
                return written;
            }
        });
        double[] figures = [.. run.Measure(threads, s_traffic).ToFigures()];
        over.Cancel();
        if (writing.GetAwaiter().GetResult() == 0)
        {
            seconds.Add(double.PositiveInfinity);
        }

        return figures;
    }

    private static void PrintCalls(int threads, string call, int at, List<double[]> alone, List<double[]> beside, List<double> seconds)
    {
        double Alone(int figure) => Median.Of(alone.Select(one => one[at + figure]));
        double Beside(int figure) => Median.Of(beside.Select(one => one[at + figure]));
        int p999 = Array.IndexOf(LatencyPhase.Percentiles, 99.9);
        int calls = LatencyPhase.Percentiles.Length;
        string ratio = Median.Of(alone.Zip(beside, (a, b) => b[at + p999] / a[at + p999])).ToString("F2", CultureInfo.InvariantCulture);
        Console.WriteLine(
            $"| {threads} | {call} | {Alone(0):F2} | {Beside(0):F2} | {Alone(p999):F2} | {Beside(p999):F2} | {ratio} | {Alone(p999 + 1):F1} "
                + $"| {Beside(p999 + 1):F1} "
                + $"| {Alone(calls) / s_traffic.MaxTime.TotalSeconds:N0} | {Beside(calls) / s_traffic.MaxTime.TotalSeconds:N0} | {Median.Of(seconds):F2} |");
    }

    private static void PrintRow(string what, double seconds, long bytes) => Console.WriteLine($"| {what} | {seconds:F3} | {bytes / 1e6 / seconds:N0} |");

    private static void WritePlain(string path, long bytes)
    {
        byte[] block = new byte[SnapshotFormat.BlockBytes];
        using FileStream file = new(path, new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write, BufferSize = 0 });
        for (long left = bytes; left > 0; left -= block.Length)
        {
            file.Write(block.AsSpan(0, (int)Math.Min(left, block.Length)));
        }

        file.Flush(flushToDisk: true);
    }

    private static double Seconds(Action work)
    {
        long began = Stopwatch.GetTimestamp();
        work();
        return Stopwatch.GetElapsedTime(began).TotalSeconds;
    }

    private static void Check(long loaded, long entries)
    {
        if (loaded != entries)
        {
            throw new InvalidOperationException($"{loaded} entries were loaded, of {entries}.");
        }
    }
}
