using System.Diagnostics;
using System.Globalization;
using Larder.FileStore.Engine;
using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.FileStore.Bench;

/// <summary>
/// Measures how much a process that writes to a large cache is delayed while another process opens the cache. Compares the longest set during the opening with
/// the longest set in a period of the same length without an opening.
/// </summary>
internal static class Openings
{
    private const int Rounds = 5;

    internal static string Run(int entries)
    {
        string folder = Directory.CreateTempSubdirectory("larder-openings-").FullName;
        FileStoreSettings settings = Settings(Path.Combine(folder, "Cache.jsonl"));
        List<double> opened = [], beside = [], alone = [];
        try
        {
            using DistributedFileStoreCacheString running = new(new CacheFileHandler(CacheEngine.Open(settings)));
            foreach (int[] part in Enumerable.Range(0, entries).Chunk(10_000))
            {
                running.SetMany([.. part.Select(i => new KeyValuePair<string, string>(Subject.Key(i), Subject.Value(i)))]);
            }
            for (int round = 0; round <= Rounds; round++)
            {
                ProgramCommand opener = ProgramCommand.Dotnet("the opener", typeof(Openings).Assembly.Location, "open", settings.Path);
                Task<ProgramRun> said = ProgramRun.OfAsync(opener);
                Stopwatch clock = Stopwatch.StartNew();
                double longestBeside = LongestSet(running, () => !said.IsCompleted);
                TimeSpan length = clock.Elapsed;
                double longestAlone = LongestSet(running, () => clock.Elapsed < 2 * length);
                // The first round includes JIT compilation.
                if (round > 0)
                {
                    opened.Add(double.Parse(said.Result.Require(opener.Name), CultureInfo.InvariantCulture));
                    beside.Add(longestBeside);
                    alone.Add(longestAlone);
                }
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{entries:N0} entries, {Rounds} openings of {Median.Of(opened):F0} ms (median) by another process: longest set meanwhile {Text(beside)}; of as "
                + $"long without one {Text(alone)}\n");
    }

    /// <summary>Runs in the process that opens the cache: prints the duration of the opening in ms.</summary>
    internal static void Open(string path)
    {
        long start = Stopwatch.GetTimestamp();
        CacheEngine.Open(Settings(path)).Dispose();
        Console.WriteLine(Stopwatch.GetElapsedTime(start).TotalMilliseconds.ToString(CultureInfo.InvariantCulture));
    }

    private static double LongestSet(DistributedFileStoreCacheString cache, Func<bool> goesOn)
    {
        double longest = 0;
        for (int i = 0; goesOn(); i++)
        {
            long start = Stopwatch.GetTimestamp();
            cache.Set(Subject.Key(i % 100), "a value");
            longest = Math.Max(longest, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
            Thread.Sleep(1);
        }
        return longest;
    }

    private static FileStoreSettings Settings(string path) => new() { Path = path, MaxBytes = 1L << 32 };

    private static string Text(List<double> times) =>
        string.Create(CultureInfo.InvariantCulture, $"{Median.Of(times):F2} ms (median), {times.Max():F2} ms (worst)");
}
