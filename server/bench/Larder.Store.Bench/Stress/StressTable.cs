using System.Diagnostics;
using System.Globalization;
using System.Runtime;

namespace Larder.Store.Bench;

/// <summary>
/// Runs all kinds of load concurrently, first with workstation garbage collection and then for the same time with server garbage collection. Values are
/// numbered. A value must not be torn, stale or lost, and must not belong to another key.
/// </summary>
internal static class StressTable
{
    private const double DefaultMinutes = 2;
    private static readonly TimeSpan s_round = TimeSpan.FromSeconds(12);

    /// <param name="minutes">The total duration in minutes. If empty, the duration is 2 minutes.</param>
    /// <returns>True if there were no failures.</returns>
    public static bool Print(string minutes)
    {
        double seconds = (minutes.Length == 0 ? DefaultMinutes : BenchChild.Number(minutes)) * 60 / 2;
        Console.WriteLine();
        Console.WriteLine(
            $"## Stress: {StressRound.Workers} threads on numbered values, with flushes, caches made and deleted, TTLs, values alone in their segment, "
                + $"lookups that linger and set, maintenance and forced collections; freed memory overwritten; beside them the random model");
        Console.WriteLine();
        Console.WriteLine("| garbage collection | rounds | operations | of the model | broken |");
        Console.WriteLine("|---|---|---|---|---|");
        bool whole = true;
        foreach (bool server in new[] { false, true })
        {
            // Set in this process, because child processes inherit it.
            Environment.SetEnvironmentVariable("DOTNET_gcServer", server ? "1" : "0");
            string[] words = BenchChild.Run("child-stress", BenchChild.Text(seconds), server ? "2" : "1");
            Console.WriteLine($"| {words[0]} | {words[1]} | {Grouped(words[2])} | {Grouped(words[3])} | {words[4]} |");
            whole &= words[4] == "0";
        }

        return whole;
    }

    public static void RunChild(double seconds, int seed)
    {
        var failures = new StressFailures();
        var random = new Random(seed);
        var watch = Stopwatch.StartNew();
        long operations = 0;
        long modelled = 0;
        int round = 0;
        for (; watch.Elapsed.TotalSeconds < seconds; round++)
        {
            TimeSpan left = TimeSpan.FromSeconds(seconds) - watch.Elapsed;
            if (round % 4 == 3)
            {
                modelled += new PartitionedModel(StressRound.Workers, keysPerThread: 20_000).Run(left < s_round ? left : s_round, long.MaxValue);
                continue;
            }

            StressPlan plan = StressPlan.Draw(random.Next(), round % 4);
            failures.Context = plan.ToString();
            using var one = new StressRound(plan, failures);
            operations += one.Run(left < s_round ? left : s_round);
        }

        Console.WriteLine($"{(GCSettings.IsServerGC ? "server" : "workstation")} {round} {operations} {modelled} {failures.Count}");
    }

    private static string Grouped(string number) => BenchChild.Number(number).ToString("N0", CultureInfo.InvariantCulture);
}
