using System.Diagnostics;
using System.Globalization;
using System.Text;
using Microsoft.Extensions.Caching.Memory;

namespace Larder.FileStore.Bench;

/// <summary>
/// Measures repeated reads of one key, and reads of random keys. A single key stays in the processor's caches, but reads of random keys wait for memory. The
/// subjects take turns in each round, so that all run under the same conditions. The result is the median of the rounds.
/// </summary>
internal static class RandomReads
{
    private const int Questions = 1 << 18;
    private const int Rounds = 21;
    private static readonly int[] Sizes = [100, 1_000, 10_000, 100_000, 1_000_000];

    /// <summary>Runs the measurement and returns the Markdown page.</summary>
    internal static string Run()
    {
        StringBuilder page = new();
        page.Append(CultureInfo.InvariantCulture, $"""
            # One key and random keys

            Printed by `dotnet run -c Release --project filestore/bench/Larder.FileStore.Bench -- random`: nanoseconds a read, medians of {Rounds}
            rounds of {Questions:N0} reads, the subjects taking turns. Keys of 10 characters, each another string object than the one that was set; values of
            15; *with expiry*: each entry ends in an hour.
            The older library reads its one Dictionary behind a check of a flag: its feed does not have the package, so the Dictionary stands for its best.

            | keys | | 100 | 1,000 | 10,000 | 100,000 | 1,000,000 |
            |---|---|---|---|---|---|---|

            """);
        double[][][] results = [.. Sizes.Select(Measure)];
        string[] subjects = ["**file store**", "**file store, with expiry**", "Dictionary", "MemoryCache"];
        for (int kind = 0; kind < 2; kind++)
        {
            for (int subject = 0; subject < subjects.Length; subject++)
            {
                page.Append(CultureInfo.InvariantCulture, $"| {(kind == 0 ? "one" : "random")} | {subjects[subject]} |");
                page.AppendJoin('|', results.Select(r => string.Create(CultureInfo.InvariantCulture, $" {r[kind][subject]:0.0} "))).Append("|\n");
            }
        }
        page.Append(
            CultureInfo.InvariantCulture,
            $"\nCommit {Provenance.CommitNow()}, {DateTime.UtcNow:yyyy-MM-dd HH:mm} UTC, {Environment.ProcessorCount} processors, "
                + $".NET {Environment.Version}.\n");
        return page.ToString();
    }

    private static double[][] Measure(int entries)
    {
        World world = World.Of(entries);
        Random random = new(1);
        string[] many = [.. Enumerable.Range(0, Questions).Select(_ => Subject.Key(random.Next(entries)))];
        string[] one = [.. Enumerable.Repeat(Subject.Key(entries / 2), Questions)];
        return [Take(world, one), Take(world, many)];
    }

    private static double[] Take(World world, string[] keys)
    {
        Func<string[], int>[] subjects =
        [
            asked => Read(world.Plain.Cache, asked),
            asked => Read(world.Expiring.Cache, asked),
            asked => Read(world.Dictionary, asked),
            asked => Read(world.Memory, asked),
        ];
        List<double>[] taken = [.. subjects.Select(_ => new List<double>())];
        for (int round = -3; round < Rounds; round++)
        {
            for (int i = 0; i < subjects.Length; i++)
            {
                long start = Stopwatch.GetTimestamp();
                int found = subjects[i](keys);
                double nanoseconds = Stopwatch.GetElapsedTime(start).TotalNanoseconds / keys.Length;
                if (found != keys.Length)
                {
                    throw new InvalidOperationException("Each key asked for is there.");
                }
                if (round >= 0)
                {
                    taken[i].Add(nanoseconds);
                }
            }
        }
        return [.. taken.Select(t => t.Order().ElementAt(Rounds / 2))];
    }

    private static int Read(DistributedFileStoreCacheClass cache, string[] keys)
    {
        int found = 0;
        foreach (string key in keys)
        {
            found += cache.Get(key) is null ? 0 : 1;
        }
        return found;
    }

    private static int Read(Dictionary<string, string> dictionary, string[] keys)
    {
        int found = 0;
        foreach (string key in keys)
        {
            found += dictionary.TryGetValue(key, out string? value) && value is not null ? 1 : 0;
        }
        return found;
    }

    private static int Read(MemoryCache memory, string[] keys)
    {
        int found = 0;
        foreach (string key in keys)
        {
            found += memory.Get<string>(key) is null ? 0 : 1;
        }
        return found;
    }
}
