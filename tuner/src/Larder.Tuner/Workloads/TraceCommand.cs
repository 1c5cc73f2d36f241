using System.CommandLine;

namespace Larder.Tuner.Workloads;

/// <summary>The command <c>larder tune trace</c>: generates a trace for replay.</summary>
internal static class TraceCommand
{
    /// <summary>The number of calls in the committed trace, <c>tuner/workloads/production-trace.csv</c>.</summary>
    public const int CommittedCalls = 7000;

    public const long CommittedSeed = 1;

    public static Command Create()
    {
        var calls = new Option<int>("--calls") { Description = "Number of calls, 1 to 5,000,000.", DefaultValueFactory = _ => CommittedCalls };
        var seed = new Option<long>("--seed") { Description = "Random seed; the same seed gives the same trace.", DefaultValueFactory = _ => CommittedSeed };
        var output = new Option<FileInfo>("--output") { Description = "Trace file (CSV) to write.", Required = true };
        var command = new Command(
            "trace",
            "Generates a trace with the statistics of a production cache: Zipf-distributed keys, sizes, times to live, scans and bursts.")
        {
            calls,
            seed,
            output,
        };
        command.SetAction(arguments =>
        {
            if (arguments.GetValue(calls) is < 1 or > 5_000_000)
            {
                Console.Error.WriteLine("--calls must be 1 to 5,000,000");
                return 2;
            }

            File.WriteAllLines(arguments.GetValue(output)!.FullName, new TraceGenerator(arguments.GetValue(seed)).Lines(arguments.GetValue(calls)));
            return 0;
        });
        return command;
    }
}
