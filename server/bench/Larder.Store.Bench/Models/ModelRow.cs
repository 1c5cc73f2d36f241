using System.Diagnostics;

namespace Larder.Store.Bench;

/// <summary>Runs the random model: many operations on four threads, with every response compared.</summary>
internal static class ModelRow
{
    private const int Threads = 4;
    private const long Operations = 40_000_000;

    public static void Print()
    {
        var watch = Stopwatch.StartNew();
        long done = new PartitionedModel(Threads, keysPerThread: 20_000).Run(TimeSpan.FromSeconds(75), Operations);
        Console.WriteLine();
        Console.WriteLine(
            $"## Model: {done:N0} random operations on {Threads} threads in {watch.Elapsed.TotalSeconds:F0} s, each answer equal to the model's; invariants "
                + $"walked {done / (Threads * 50_000)} times; freed memory overwritten");
    }
}
