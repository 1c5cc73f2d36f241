using Larder.Agent;
using Larder.Harness;
using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;
using Larder.Tuner.Tune;
using Larder.Tuner.Tune.Rounds;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Lab.Cost;

/// <summary>
/// Measures one client and transport after another. <see cref="Rows"/> contains the completed rows at any time. If a measurement fails, the failure is reported
/// and the next measurement starts.
/// </summary>
internal sealed class CostMeasurement(CostOptions options, TextWriter said, TimeProvider clock)
{
    private const int SpareCallers = 500;

    /// <summary>
    /// The duration of the first load of a new agent, and of the warm-up after a client was opened. A .NET agent collects garbage during the warm-up.
    /// </summary>
    private const double WarmingSeconds = 2, WarmupSeconds = 1;

    private readonly Lock _lock = new();
    private readonly List<CostRow> _rows = [];
    private readonly TimeBudget _budget = new(options.Budget, clock, options.Seconds);
    private int _roundsLeft = options.Rounds;
    private int _seed;

    /// <summary>Gets the completed rows.</summary>
    public IReadOnlyList<CostRow> Rows
    {
        get
        {
            lock (_lock)
            {
                return [.. _rows];
            }
        }
    }

    /// <summary>Gets the failures, one sentence each.</summary>
    public List<string> Failures { get; } = [];

    public async Task RunAsync()
    {
        foreach (string client in options.Clients)
        {
            foreach (string transport in options.Transports)
            {
                try
                {
                    await MeasureAsync(client, transport).ConfigureAwait(false);
                }
                catch (HarnessException failed) when (!Interruption.Explains(failed))
                {
                    Failures.Add($"{client}, {transport}: {failed.Message.Split('\n', 2)[0]}");
                    said.WriteLine(Failures[^1]);
                }
            }
        }
    }

    private async Task MeasureAsync(string client, string transport)
    {
        var settings = new TuneOptions { Client = client, Transport = transport, Targets = [new TuneTarget(0.999, 5_000)] };
        int cap;
        double best;
        List<Round>[] after = [.. CostOptions.Shares.Select(_ => new List<Round>())];
        List<Round>[] before = [.. CostOptions.Shares.Select(_ => new List<Round>())];
        using (var meter = new StallMeter())
        {
            await using Backend server = await Backend.LarderAsync().ConfigureAwait(false);
            await using Contender now = await ContenderAsync(server, client, transport, Agents.OfClient(client), meter).ConfigureAwait(false);
            await using Backend? older = options.Before is null
                ? null
                : Backend.Of(await ServerProcess.StartAsync(Programs.Larder() with { Program = options.Before.Server }).ConfigureAwait(false));
            await using Contender? then = older is null
                ? null
                : await ContenderAsync(older, client, transport, Agents.OfClient(client).In(options.Before!.Root), meter).ConfigureAwait(false);
            var tested = new ClientUnderTest(new ClientVariant(client, transport), now, settings);
            ClientUnderTest? testedBefore = then is null ? null : new ClientUnderTest(new ClientVariant(client, transport), then, settings);
            foreach (ClientUnderTest one in new[] { tested, testedBefore }.OfType<ClientUnderTest>())
            {
                var warming = new OfferedLoad(options.Rungs[0], options.Rungs[0], options.Seconds ?? WarmingSeconds, Preload: true);
                await one.RunAsync(warming, _ => { }).ConfigureAwait(false);
            }

            (cap, best) = await BestAsync(tested).ConfigureAwait(false);
            for (int pass = 0; pass < options.Passes; pass++)
            {
                for (int share = 0; share < CostOptions.Shares.Count; share++)
                {
                    double rate = best * CostOptions.Shares[share];
                    if (testedBefore is not null)
                    {
                        before[share].Add(await RunAsync(testedBefore, "before", rate, cap).ConfigureAwait(false));
                    }

                    after[share].Add(await RunAsync(tested, "after", rate, cap).ConfigureAwait(false));
                }
            }
        }

        // The stall meter has ended. All CPU time of this process is therefore used by the generator, which runs in this process.
        for (int share = 0; share < CostOptions.Shares.Count; share++)
        {
            double rate = best * CostOptions.Shares[share];
            var row = new CostRow(
                client,
                transport,
                CostOptions.Shares[share],
                rate,
                after[share],
                before[share],
                await GeneratorAsync(client, rate, cap, settings).ConfigureAwait(false));
            lock (_lock)
            {
                _rows.Add(row);
            }
        }
    }

    private static async Task<Contender> ContenderAsync(Backend server, string client, string transport, ProgramCommand command, StallMeter meter)
    {
        Contender contender = await Contender.OfCommandAsync(client, transport, server, command).ConfigureAwait(false);
        contender.Meter = meter;
        return contender;
    }

    /// <summary>Returns the number of calls in flight that gives the highest throughput in a short closed loop, and that throughput.</summary>
    private async Task<(int Cap, double RatePerSecond)> BestAsync(ClientUnderTest tested)
    {
        (int Cap, double Rate) best = default;
        foreach (int rung in options.Rungs)
        {
            Task<Round> RunAsync(double seconds) => tested.RunAsync(new OfferedLoad(rung, rung, seconds, Seed: ++_seed), _ => { });
            Round round = await TimedAsync(RunAsync, OfferedLoad.UsualWarmupSeconds).ConfigureAwait(false);
            if (round.RequestsPerSecond > best.Rate)
            {
                best = (rung, round.RequestsPerSecond);
            }
        }

        said.WriteLine($"{tested.Variant}: best rate {Show.Count(best.Rate)} calls per second, with {Show.Count(best.Cap)} requests in flight");
        return best.Rate > 0 ? best : throw new TunerException($"{tested.Variant}: no call completed");
    }

    private async Task<Round> RunAsync(ClientUnderTest tested, string when, double rate, int cap)
    {
        Round round = await OnScheduleAsync(tested, rate, cap + SpareCallers, cap).ConfigureAwait(false);
        string left = Show.Count(Math.Round(_budget.Left.TotalSeconds));
        said.WriteLine($"  {when}, {Show.Count(rate)} calls/s scheduled: p99.9 {Show.Us(round.Histogram.QuantileUs(0.999))} [{left} s left]");
        return round;
    }

    private async Task<double?> GeneratorAsync(string client, double rate, int cap, TuneOptions settings)
    {
        if (LabAgents.OfNothing(client) is not { } command)
        {
            return await TimedAsync(seconds => OwnGeneratorAsync(rate, cap, seconds), WarmupSeconds).ConfigureAwait(false);
        }

        await using Contender nothing =
            await Contender.OfCommandAsync("nothing", "", Backend.Remote("127.0.0.1:0", null), command, isPeer: true).ConfigureAwait(false);
        var tested = new ClientUnderTest(new ClientVariant("nothing", ""), nothing, settings);
        Round round = await OnScheduleAsync(tested, rate, cap + SpareCallers, null).ConfigureAwait(false);
        return round.ClientCpu;
    }

    private Task<Round> OnScheduleAsync(ClientUnderTest tested, double rate, int callers, int? cap)
    {
        double warmup = Math.Min(WarmupSeconds, options.Seconds ?? WarmupSeconds);
        return TimedAsync(seconds => tested.RunAsync(new OfferedLoad(callers, cap, seconds, ++_seed, rate, WarmupSeconds: warmup), _ => { }), WarmupSeconds);
    }

    private static async Task<double?> OwnGeneratorAsync(double rate, int cap, double seconds)
    {
        var settings = new LoadSettings { Callers = cap + SpareCallers, Measured = TimeSpan.FromSeconds(seconds), OpenLoopRatePerSecond = rate };
        LoadResult result = await new LoadRun(settings, new LoadItems(settings.Workload), new NoTarget()).RunAsync((_, _) => { }).ConfigureAwait(false);
        return result.ClientCpuSeconds / result.Measured.TotalSeconds;
    }

    /// <summary>Runs a load for an even share of the remaining budget.</summary>
    private async Task<T> TimedAsync<T>(Func<double, Task<T>> run, double warmupSeconds)
    {
        double seconds = _budget.RoundSeconds(_roundsLeft--, TimeSpan.Zero);
        TimeSpan begun = _budget.Spent;
        T result = await run(seconds).ConfigureAwait(false);
        _budget.OnRound(_budget.Spent - begun, seconds + warmupSeconds - OfferedLoad.UsualWarmupSeconds);
        return result;
    }
}
