using System.CommandLine;
using System.Globalization;
using Larder.Agent;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Cost;

/// <summary><c>larder tune cost</c>: the processor time of the stall meter and of the generator beside that of what they measure.</summary>
internal static class CostCommand
{
    /// <summary>In flight at most; a rate that needs more is beyond this machine.</summary>
    private const int Cap = 144;

    private const int SpareCallers = 500;

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var client = new Option<string>("--client") { Description = "dotnet, python or node.", DefaultValueFactory = _ => "dotnet" };
        var transport = new Option<string>("--transport") { Description = "pipeline or unary.", DefaultValueFactory = _ => "pipeline" };
        var rates = new Option<string>("--rates") { Description = "Calls a second, with commas.", DefaultValueFactory = _ => "1000,10000,50000,200000" };
        var seconds = new Option<double>("--seconds") { Description = "Measured seconds of each load, 0.1 to 600.", DefaultValueFactory = _ => 3 };
        var command = new Command(
            "cost",
            "Measure what the stall meter and the .NET agent's generator cost beside client and server. Exit code 1: more than a tenth.")
        {
            client,
            transport,
            rates,
            seconds,
        };
        command.SetAction((arguments, _) => TuneExit.OfAsync(() => RunAsync(
            new TuneOptions
            {
                Client = CommandLine.OneOf(arguments.GetValue(client)!, client.Name, AgentCommand.Clients),
                Transport = CommandLine.OneOf(arguments.GetValue(transport)!, transport.Name, "pipeline", "unary"),
                Targets = [new TuneTarget(0.999, 5_000)],
                Seconds = arguments.GetValue(seconds),
                Command = CommandLine.Typed("--output"),
            },
            [.. CommandLine.List(arguments.GetValue(rates)!).Select(RateOf)])));
        return command;
    }

    private static double RateOf(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double rate) && rate is >= 1 and <= 10_000_000
            ? rate
            : throw new FormatException($"--rates are numbers from 1 to 10,000,000, with commas; not \"{text}\"");

    private static async Task<int> RunAsync(TuneOptions options, IReadOnlyList<double> rates)
    {
        IReadOnlyList<CostRow> rows = await MeasureAsync(options, rates).ConfigureAwait(false);
        string[] text =
        [
            $"# What measuring costs ({options.Client}, {options.Transport})", "", .. Fingerprint.Take().Lines(options.Command), "",
            "In processors. The meter beside client and server; the generator alone, at calls that end at once, beside client and server without it.", "",
            "| calls/s | client and generator | server | meter | of client and server | generator alone | of client and server | at most a tenth |",
            "|---:|---:|---:|---:|---:|---:|---:|---|", .. rows.Select(row => row.ToString()),
        ];
        Console.WriteLine(string.Join('\n', text));
        return rows.All(row => row.Holds) ? 0 : 1;
    }

    private static async Task<IReadOnlyList<CostRow>> MeasureAsync(TuneOptions options, IReadOnlyList<double> rates)
    {
        var rounds = new List<Round>();
        using (var meter = new StallMeter())
        {
            await using TuneStand stand = await TuneStand.StartAsync(options, meter).ConfigureAwait(false);
            Arm arm = stand.Arms[0];
            await arm.RunAsync(new TuneLoad(Cap, Cap, 0.5, Preload: true, WarmupSeconds: 3), _ => { }).ConfigureAwait(false);
            foreach (double rate in rates)
            {
                var load = new TuneLoad(Cap + SpareCallers, Cap, options.Seconds!.Value, RatePerSecond: rate, WarmupSeconds: 1);
                rounds.Add(await arm.RunAsync(load, _ => { }).ConfigureAwait(false));
            }
        }

        // The meter has ended: the generator's processor time is this process's.
        var rows = new List<CostRow>();
        foreach ((double rate, Round round) in rates.Zip(rounds))
        {
            double meterCost = round.Stalls is { Seconds: > 0 } stalls ? stalls.MeterCpuSeconds / stalls.Seconds : double.NaN;
            double? generator = options.Client == "dotnet" ? await AloneAsync(rate, options).ConfigureAwait(false) : null;
            rows.Add(new(rate, round.ClientCpu, round.ServerCpu ?? 0, meterCost, generator));
        }

        return rows;
    }

    private static async Task<double> AloneAsync(double rate, TuneOptions options)
    {
        var settings = new LoadSettings
        {
            Callers = Cap + SpareCallers,
            Measured = TimeSpan.FromSeconds(options.Seconds!.Value),
            OpenLoopRatePerSecond = rate,
        };
        LoadResult result = await new LoadRun(settings, new LoadItems(settings.Workload), new NoTarget()).RunAsync((_, _) => { }).ConfigureAwait(false);
        return result.ClientCpuSeconds / result.Measured.TotalSeconds;
    }
}
