using System.CommandLine;
using Larder.Harness.Redis;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Ceiling;

/// <summary>
/// The command <c>larder lab redis-benchmark</c>: compares the .NET client with <c>redis-benchmark</c>, a C client that only counts responses.
/// </summary>
internal static class CeilingCommand
{
    // The size and the number of values are those of the reference workload.
    private const int ValueBytes = 100;
    private const int Keys = 1_000;

    public static Command Create()
    {
        Option<string> inFlight = new("--in-flight")
        {
            Description = "Numbers of concurrent calls, one for each step, comma-separated.",
            DefaultValueFactory = _ => "1,25,100,1000",
        };
        Option<int> rounds = new("--rounds") { Description = "Alternating rounds, 1 to 100; results are medians.", DefaultValueFactory = _ => 5 };
        Option<double> seconds = new("--seconds") { Description = "Measured seconds per round, 0.1 to 600.", DefaultValueFactory = _ => 2 };
        Option<FileInfo?> output = new("--output") { Description = "Also append the result as Markdown to this file." };
        Command command = new("redis-benchmark", "Compares the .NET client's pipeline with redis-benchmark at the same pipeline depth.")
        {
            inFlight, rounds, seconds, output,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(
            () => new BenchOptions
            {
                Rungs = Rung.ParseAll(arguments.GetValue(inFlight)!, null),
                Rounds = arguments.GetValue(rounds) is >= 1 and <= 100 and int turns ? turns : throw new FormatException("--rounds must be 1 to 100"),
                Seconds = arguments.GetValue(seconds) is >= 0.1 and <= 600 and double time ? time : throw new FormatException("--seconds must be 0.1 to 600"),
            },
            options => RunAsync(options, arguments.GetValue(output))));
        return command;
    }

    private static async Task<int> RunAsync(BenchOptions options, FileInfo? output)
    {
        var report = new BenchReport(
            output,
        [
            .. ThisMachine.Fingerprint().Lines(CommandLine.Typed("--output")),
            Say($"- half gets, half sets of {ValueBytes} bytes; redis-benchmark on one connection; medians of {options.Rounds} alternating rounds of ")
                + Say($"{options.Seconds} s"),
            "",
            "| requests in flight | .NET pipeline, requests/s | redis-benchmark -P, requests/s | ratio |",
            "|---:|---:|---:|---:|",
        ]);
        await using Backend larder = await Backend.LarderAsync().ConfigureAwait(false);
        await using Contender client = await Contender.OfClientAsync("dotnet", "pipeline", larder).ConfigureAwait(false);
        using RedisServer redis = new();
        foreach (Rung rung in options.Rungs)
        {
            RedisBenchmark benchmark = new(redis.Port, rung.Callers, ValueBytes, Keys);
            List<double> ours = [], theirs = [];
            for (int round = 0; round <= options.Rounds; round++)
            {
                Round measured = await client
                    .RunAsync(options.OpenRequest("pipeline", rung), options.LoadRequest(rung, round, preload: ours.Count == 0), static _ => { })
                    .ConfigureAwait(false);
                double redisRate = await benchmark.RunAsync(options.Seconds).ConfigureAwait(false);
                string name = round == 0 ? "warm-up" : $"round {round}";
                Console.Error.WriteLine(Say($"{rung} in flight, {name}: Larder {measured.RequestsPerSecond:N0} requests/s, Redis {redisRate:N0} requests/s"));
                if (round > 0)
                {
                    ours.Add(measured.RequestsPerSecond);
                    theirs.Add(redisRate);
                }
            }

            report.Add([Say($"| {rung} | {Median.Of(ours):N0} | {Median.Of(theirs):N0} | {Median.Of(ours) / Median.Of(theirs):F2} |")]);
        }

        report.Write();
        return 0;
    }
}
