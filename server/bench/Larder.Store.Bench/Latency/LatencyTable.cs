using System.Globalization;

namespace Larder.Store.Bench;

/// <summary>Measures the latency of gets and sets in each situation of the store. Each situation is measured in its own process.</summary>
internal static class LatencyTable
{
    private const int MaxThreads = 2;

    /// <summary>Prints the situations whose name contains <paramref name="only"/>.</summary>
    public static void Print(string only)
    {
        Console.WriteLine();
        Console.WriteLine($"## Latency: a store of {LatencyRun.LimitBytes >> 20:N0} MiB, gets and sets in turn, microseconds");
        Console.WriteLine();
        string[] percentiles = [.. LatencyPhase.Percentiles.Select(p => p == 100 ? "max" : $"p{p.ToString(CultureInfo.InvariantCulture)}")];
        Console.WriteLine($"| while | threads | call | {string.Join(" | ", percentiles)} | calls | over 1 ms | worst that ran |");
        Console.WriteLine($"|---|---|---|{string.Concat(LatencyPhase.Percentiles.Select(_ => "---|"))}---|---|---|");
        var flushes = new List<string>();
        foreach (LatencySituation situation in LatencySituation.All.Where(one => one.Name.Contains(only, StringComparison.Ordinal)))
        {
            for (int threads = 1; threads <= MaxThreads; threads++)
            {
                string[] words = BenchChild.Run("child-latency", situation.Name, threads.ToString(CultureInfo.InvariantCulture));
                double[] figures = [.. words.Select(BenchChild.Number)];
                foreach (
                    (string? name, int at) in situation.Flushes
                        ? new[] { ($"{situation.Name}: before", 0), (situation.Name, LatencyPhase.Figures) }
                        : [(situation.Name, 0)])
                {
                    PrintPhase(name, threads, figures.AsSpan(at, LatencyPhase.Figures));
                }

                if (situation.Flushes)
                {
                    (double before, double after) = (LatencyPhase.WorstSet(figures), LatencyPhase.WorstSet(figures.AsSpan(LatencyPhase.Figures)));
                    double ranBefore = LatencyPhase.WorstSetThatRan(figures);
                    double ranAfter = LatencyPhase.WorstSetThatRan(figures.AsSpan(LatencyPhase.Figures));
                    flushes.Add(
                        $"{situation.Name}, {threads} thread{(threads == 1 ? "" : "s")}: {figures[^1]:F1} % of the memory flushed; worst set {after:N0} us "
                            + $"after, {before:N0} us before, {after / before:F2} x; of those that ran {ranAfter:N0} and {ranBefore:N0} us, "
                            + $"{ranAfter / ranBefore:F2} x.");
                }
            }
        }

        Console.WriteLine();
        Console.WriteLine(
            "Worst that ran: of the sets during which the system took the processor neither from the thread nor from another that was setting; "
                + $"{LatencyRun.SlowUs} us where none took longer.");
        flushes.ForEach(Console.WriteLine);
        foreach (LatencySituation situation in LatencySituation.All)
        {
            Console.WriteLine($"- {situation.Name}: {situation.Meaning}");
        }
    }

    public static void RunChild(string name, int threads)
    {
        LatencySituation situation = LatencySituation.All.First(one => one.Name == name);
        LatencyRun.WarmUp(threads);
        using var run = new LatencyRun(situation.Shards);
        situation.SetUp(run);
        IEnumerable<double> figures = run.Measure(threads, situation.Traffic).ToFigures();
        if (situation.Flushes)
        {
            double flushedPercent = run.Flush();
            figures = [.. figures, .. run.Measure(threads, situation.Traffic).ToFigures(), flushedPercent];
        }

        run.Store.AssertValid();
        Console.WriteLine(string.Join(' ', figures.Select(BenchChild.Text)));
    }

    private static void PrintPhase(string name, int threads, ReadOnlySpan<double> figures)
    {
        int perCall = LatencyPhase.PerCall;
        foreach ((string? call, int at) in new[] { ("get", 0), ("set", perCall) })
        {
            ReadOnlySpan<double> of = figures.Slice(at, perCall);
            var cells = new List<string>();
            for (int i = 0; i < perCall; i++)
            {
                cells.Add(
                    i >= perCall - 2
                        ? of[i].ToString("N0", CultureInfo.InvariantCulture)
                        : of[i].ToString(of[i] < 100 ? "F2" : "N0", CultureInfo.InvariantCulture));
            }

            string ran = call == "set" ? LatencyPhase.WorstSetThatRan(figures).ToString("N0", CultureInfo.InvariantCulture) : "";
            Console.WriteLine($"| {name} | {threads} | {call} | {string.Join(" | ", cells)} | {ran} |");
        }
    }
}
