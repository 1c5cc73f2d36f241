using System.Globalization;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;
using Larder.Tuner.Search;
using Larder.Tuner.Tune;
using Larder.Tuner.Tune.ClosedLoop;
using Larder.Tuner.Tune.OpenLoop;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Lab.Known;

/// <summary>
/// For each of several targets, searches for the highest scheduled rate that meets the target. No rate meets one of the default targets. Uses a real client,
/// and a server with a known service time and parallelism. Compares the measured results with computed results.
/// </summary>
internal sealed class AnalyticRates(string client, IReadOnlyList<double> limitsMs, TimeSpan budget, Action<string> say)
{
    private const int Parallelism = 40;
    private const double Service = 0.010;
    private const double Quantile = 0.99;

    /// <summary>The maximum number of callers. More callers would give the closed-loop search no new information.</summary>
    private const int Most = 89;

    /// <summary>The maximum relative difference between the found and the computed rate.</summary>
    private const double Allowed = 0.05;

    private readonly TuneOptions _options = new()
    {
        Client = client,
        Targets = [.. limitsMs.Select(ms => new TuneTarget(Quantile, ms * 1000))],
        Transport = "unary",
        Passes = 1,
        Most = Most,
    };

    /// <summary>Runs the searches. Returns all comparisons: the knee, and the rate and the concurrency limit for each target.</summary>
    public async Task<IReadOnlyList<AnalyticLine>> RunAsync()
    {
        await using Backend server = await AnalyticProcess.StartAsync(Parallelism, Service).ConfigureAwait(false);
        await using Contender contender = await Contender.OfClientAsync(client, "unary", server).ConfigureAwait(false);
        using var meter = new StallMeter();
        contender.Meter = meter;
        var tested = new ClientUnderTest(new ClientVariant(client, "unary"), contender, _options);
        await tested.RunAsync(new OfferedLoad(Parallelism, Parallelism, 2), _ => { }).ConfigureAwait(false);
        IReadOnlyList<SearchRung> rungs = await KneeAsync(tested).ConfigureAwait(false);
        SearchRung knee = KneeChoice.OfThroughput(rungs)!;
        var view = new PlainTuneView(Console.Error);
        var time = new TimeBudget(budget, TimeProvider.System);
        var openLoop = new OpenLoopPhase(new ScheduledLoad(tested, new RoundRunner(_options, time, view)), rungs, knee, _options, time, view);
        var lines = new List<AnalyticLine> { KneeLine(knee) };
        for (int i = 0; i < _options.Targets.Count; i++)
        {
            TuneTarget target = _options.Targets[i];
            TimeSpan kept = time.Left * ((_options.Targets.Count - 1.0 - i) / (_options.Targets.Count - i));
            (ProvedRate? proved, IReadOnlyList<RateStep> steps) = await openLoop.RunAsync(target, kept).ConfigureAwait(false);
            say(RateAnswer.Of(target, proved, steps));
            lines.AddRange(LinesOf(target, proved, steps, knee.Callers));
        }

        return lines;
    }

    private async Task<IReadOnlyList<SearchRung>> KneeAsync(ClientUnderTest tested)
    {
        var ladder = new ConcurrencyLadder(tested, _options);
        while (ladder.Next is { } callers)
        {
            ladder.Add(await tested.RunAsync(new OfferedLoad(callers, callers, 0.6), _ => { }).ConfigureAwait(false));
        }

        return ladder.Rungs;
    }

    private static AnalyticLine KneeLine(SearchRung knee)
    {
        IReadOnlyList<int> ladder = CapLadder.UpTo(Most);
        int computed = ladder.First(rung => Math.Min(rung, Parallelism) >= Knee.ShareOfBest * Parallelism);
        return new("knee of the closed loop", computed, knee.Callers, "in flight", Rungs(ladder, computed, knee.Callers) <= 1, "within one rung");
    }

    private static IEnumerable<AnalyticLine> LinesOf(TuneTarget target, ProvedRate? proved, IReadOnlyList<RateStep> steps, int most)
    {
        string name = TargetText.Of(target);
        if (AnalyticRate.Highest(Parallelism, Service, Quantile, target.LimitUs / 1e6) is not { } computed)
        {
            string limit = RateAnswer.NearestMiss(steps)?.Verdict?.Limit.ToString() ?? "nothing";
            yield return new($"rate for {name}", 0, proved?.RatePerSecond ?? 0, "calls/s", proved is null, $"expected: no rate; bottleneck: {limit}");
            yield break;
        }

        double found = proved?.RatePerSecond ?? double.NaN;
        yield return new(
            $"rate for {name}",
            computed,
            found,
            "calls/s",
            Math.Abs(found - computed) <= Allowed * computed,
            string.Create(CultureInfo.InvariantCulture, $"within 5 % ({((found / computed) - 1) * 100:+0.0;-0.0} %)"));
        IReadOnlyList<int> ladder = CapLadder.UpTo(most);
        int cap = ladder.FirstOrDefault(
            rung => AnalyticRate.Latency(Math.Min(rung, Parallelism), Service, proved?.RatePerSecond ?? computed, Quantile) <= target.LimitUs / 1e6,
            most);
        bool isNear = proved is not null && Rungs(ladder, cap, proved.Cap) <= 1;
        yield return new($"concurrency limit for {name}", cap, proved?.Cap ?? double.NaN, "in flight", isNear, "within one rung");
    }

    private static int Rungs(IReadOnlyList<int> ladder, int one, int other) => Math.Abs(ladder.Count(rung => rung < one) - ladder.Count(rung => rung < other));
}
