using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Report;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Tune.Assertions;
using Larder.Tuner.Tune.ClosedLoop;
using Larder.Tuner.Tune.Comparisons;
using Larder.Tuner.Tune.OpenLoop;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune;

/// <summary>
/// A complete tuning: the knee of the closed loop, the proved rate and the comparisons. It creates one run per target. All targets share the measurements.
/// </summary>
internal sealed class Tuning(TuneOptions options, ITuneView view, TimeProvider clock)
{
    /// <summary>
    /// The fraction of the budget for the closed loop, including startup and warm-up. The closed loop finds the bottlenecks and the starting point of the rate
    /// search.
    /// </summary>
    private const double ClosedShare = 0.3;

    /// <summary>The fraction of the budget for the adaptive limit, if this is enough time to compare it.</summary>
    private const double AdaptiveShare = 0.12;

    /// <summary>The fraction of the budget for the comparison of channels, which takes 24 rounds for .NET and 48 rounds for the other languages.</summary>
    private const double ChannelShare = 0.3;

    private readonly TimeBudget _budget = new(options.Budget, clock, options.Seconds);

    // If the run is interrupted, another thread also reads the state below.
    private readonly Fingerprint _machine = ThisMachine.Fingerprint();
    private volatile MachineStalls? _floor;
    private volatile RoundRunner? _rounds;
    private volatile ClosedLoopPhase? _closedLoop;
    private volatile OpenLoopPhase? _openLoop;
    private volatile IReadOnlyList<(ProvedRate? Proved, IReadOnlyList<RateStep> Steps)> _proofs = [];
    private volatile IReadOnlyList<IReadOnlyList<AdaptiveRow>> _adaptive = [];

    /// <summary>Runs the measurements. Returns a run per target, in the order of the targets.</summary>
    public async Task<IReadOnlyList<TuneRun>> RunAsync()
    {
        view.OnStart(
            ClientOf(null),
            options.Targets[0],
            options.Workload.Describe(),
            options.Seconds is null ? options.Budget : null);
        using var meter = new StallMeter();
        _floor = await MeasureIdleAsync(meter).ConfigureAwait(false);
        await using TestBed bed = await TestBed.StartAsync(options, meter).ConfigureAwait(false);
        RoundRunner rounds = _rounds = new RoundRunner(options, _budget, view);
        ClosedLoopPhase closedLoop = _closedLoop = new ClosedLoopPhase(bed.Clients, options, rounds, view);
        await closedLoop.WarmUpAsync().ConfigureAwait(false);
        // The view is called only now, because only an opened client reports which transport "auto" selects.
        view.OnBegin(ClientOf(bed.Clients[0].Contender.Opened), options.Targets[0], options.Workload.Describe());
        TimeSpan keptForChannels = options.CompareChannels ? options.Budget * ChannelShare : TimeSpan.Zero;
        TimeSpan keptForAdaptive = Adapts(options.Budget * AdaptiveShare) ? options.Budget * AdaptiveShare : TimeSpan.Zero;
        IReadOnlyList<ConcurrencyLadder> ladders = await closedLoop.RunAsync(options.Budget * (1 - ClosedShare)).ConfigureAwait(false);
        var own = ladders.Where(one => !one.Client.Variant.IsPeer).ToList();
        IReadOnlyList<SearchRung> rungs = [.. own.SelectMany(one => one.Rungs)];
        IReadOnlyList<(ProvedRate? Proved, IReadOnlyList<RateStep> Steps)> proofs =
            await ProveAsync(own, rungs, rounds, keptForChannels + keptForAdaptive).ConfigureAwait(false);
        IReadOnlyList<IReadOnlyList<AdaptiveRow>> adaptive = await AdaptAsync(own, rungs, proofs, rounds, keptForChannels).ConfigureAwait(false);
        IReadOnlyList<ChannelRow> channels = options.CompareChannels && rungs.Count > 0
            ? await new ChannelComparison(bed, own[0].Client, ReferenceRung(rungs), options, rounds).RunAsync().ConfigureAwait(false)
            : [];
        TuneRun common = MeasuredBy(ladders, rungs, rounds) with { Channels = channels };
        TuneRun[] runs =
        [
            .. options.Targets.Select(
                (target, index) =>
                    Finish(
                        common with { Target = target, Proved = proofs[index].Proved, Rates = proofs[index].Steps, Adaptive = adaptive[index] },
                        rounds)),
        ];
        view.OnEnd(runs[0]);
        return runs;
    }

    /// <summary>Returns the measurements so far as a run per target, marked as interrupted. Empty before the first measurement. Thread-safe.</summary>
    public IReadOnlyList<TuneRun> SoFar()
    {
        if (_rounds is not { } rounds || _closedLoop is not { } closedLoop)
        {
            return [];
        }

        IReadOnlyList<ConcurrencyLadder> ladders = closedLoop.Ladders;
        IReadOnlyList<SearchRung> rungs = [.. ladders.Where(one => !one.Client.Variant.IsPeer).SelectMany(one => one.Rungs)];
        if (rungs.Count == 0)
        {
            return [];
        }

        TuneRun common = MeasuredBy(ladders, rungs, rounds) with { Interrupted = true };
        IReadOnlyList<(ProvedRate? Proved, IReadOnlyList<RateStep> Steps)> proofs = _proofs;
        IReadOnlyList<IReadOnlyList<AdaptiveRow>> adaptive = _adaptive;
        // The current search belongs to the first target without a result.
        IReadOnlyList<RateStep> underWay = _openLoop?.StepsSoFar ?? [];
        return
        [
            .. options.Targets.Select(
                (target, index) => Finish(
                    common with
                    {
                        Target = target,
                        Proved = index < proofs.Count ? proofs[index].Proved : null,
                        Rates = index < proofs.Count ? proofs[index].Steps : index == proofs.Count ? underWay : [],
                        Adaptive = index < adaptive.Count ? adaptive[index] : [],
                    },
                    rounds)),
        ];
    }

    private TuneRun MeasuredBy(IReadOnlyList<ConcurrencyLadder> ladders, IReadOnlyList<SearchRung> rungs, RoundRunner rounds) => new()
    {
        Command = options.Command,
        Machine = _machine,
        TookSeconds = Math.Round(_budget.Spent.TotalSeconds, 1),
        Client = ClientOf(ladders.First(one => !one.Client.Variant.IsPeer).Client.Contender.Opened),
        Target = options.Targets[0],
        Workload = options.Workload.Describe(),
        Search = rungs,
        Floor = _floor,
        Timeline = rounds.Timeline,
        Peers = [.. ladders.Where(one => one.Client.Variant.IsPeer).Select(one => new PeerSeries(one.Client.Contender.Client, one.Rungs))],
    };

    /// <summary>Observes the machine while it is idle, and reports the targets that its stalls make impossible.</summary>
    private async Task<MachineStalls> MeasureIdleAsync(StallMeter meter)
    {
        StallReading begun = meter.Read();
        await Task.Delay(TimeSpan.FromSeconds(options.FloorSeconds), clock).ConfigureAwait(false);
        MachineStalls floor = meter.Read().Since(begun);
        foreach (TuneTarget target in options.Targets)
        {
            if (RunNotes.OfFloor(target, floor) is { } note)
            {
                view.OnNote(note);
            }
        }

        return floor;
    }

    /// <summary>
    /// Returns two values for each target: the proved rate (null if there is none) and the steps of the search for it. The targets share measurements. The
    /// strictest target is searched first.
    /// </summary>
    private async Task<IReadOnlyList<(ProvedRate? Proved, IReadOnlyList<RateStep> Steps)>> ProveAsync(
        List<ConcurrencyLadder> own,
        IReadOnlyList<SearchRung> rungs,
        RoundRunner rounds,
        TimeSpan kept)
    {
        ShowKnee(rungs);
        var answers = new List<(ProvedRate? Proved, IReadOnlyList<RateStep> Steps)>();
        SearchRung? best = KneeChoice.OfThroughput(rungs);
        OpenLoopPhase? openLoop = _openLoop = best is null
            ? null
            : new OpenLoopPhase(new ScheduledLoad(TestedOf(own, best), rounds), rungs, best, options, _budget, view);
        for (int i = 0; i < options.Targets.Count; i++)
        {
            (ProvedRate? proved, IReadOnlyList<RateStep> steps) = openLoop is null
                ? (null, [])
                : await openLoop.RunAsync(options.Targets[i], KeptWith(kept, i, options.Targets.Count)).ConfigureAwait(false);
            answers.Add((proved, steps));
            _proofs = [.. answers];
            view.OnAnswer(proved, RateAnswer.Of(options.Targets[i], proved, steps));
        }

        return answers;
    }

    /// <summary>Gets whether the adaptive limit should be compared and there is enough time for it.</summary>
    private bool Adapts(TimeSpan time) => options.Adaptive && (options.Seconds is not null || time >= AdaptiveCapComparison.Least * options.Targets.Count);

    /// <summary>Compares the adaptive limit with the knee of each target, unless there is no knee or not enough time.</summary>
    private async Task<IReadOnlyList<IReadOnlyList<AdaptiveRow>>> AdaptAsync(
        List<ConcurrencyLadder> own,
        IReadOnlyList<SearchRung> rungs,
        IReadOnlyList<(ProvedRate? Proved, IReadOnlyList<RateStep> Steps)> proofs,
        RoundRunner rounds,
        TimeSpan kept)
    {
        var rows = new List<IReadOnlyList<AdaptiveRow>>();
        bool adapts = Adapts(_budget.Left - kept);
        if (options.Adaptive && !adapts)
        {
            view.OnNote("The adaptive limit was not compared, because the budget is used up; increase --budget.");
        }

        for (int i = 0; i < options.Targets.Count; i++)
        {
            TuneTarget target = options.Targets[i];
            rows.Add(
                adapts && AdaptiveCapComparison.Serves(target) && KneeChoice.Of(rungs, target) is { } knee
                    ? await new AdaptiveCapComparison(
                            TestedOf(own, rungs[knee.SearchIndex]),
                            rungs[knee.SearchIndex],
                            target,
                            proofs[i].Proved,
                            proofs[i].Steps,
                            options,
                            rounds,
                            view)
                        .RunAsync(KeptWith(kept, i, options.Targets.Count))
                        .ConfigureAwait(false)
                    : []);
            _adaptive = [.. rows];
        }

        return rows;
    }

    private static ClientUnderTest TestedOf(List<ConcurrencyLadder> own, SearchRung knee) =>
        own.First(one => (one.Client.Variant.Channels ?? 0) == knee.Channels).Client;

    /// <summary>
    /// Returns the time to reserve for later parts during part <paramref name="index"/> of several. The remaining time is divided equally between this part and
    /// the following parts.
    /// </summary>
    private TimeSpan KeptWith(TimeSpan kept, int index, int parts)
    {
        TimeSpan later = (_budget.Left - kept) * ((parts - 1.0 - index) / (parts - index));
        return kept + (later > TimeSpan.Zero ? later : TimeSpan.Zero);
    }

    private void ShowKnee(IReadOnlyList<SearchRung> rungs)
    {
        foreach (TuneTarget target in options.Targets)
        {
            ChosenKnee? knee = KneeChoice.Of(rungs, target);
            view.OnKnee(knee is null ? null : rungs[knee.SearchIndex], knee?.Why ?? KneeChoice.WhyNone(rungs, target));
        }
    }

    /// <summary>
    /// Returns the rung for the comparison of channels: the knee of the least strict target. If there is no knee, returns the rung with the highest throughput.
    /// </summary>
    private SearchRung ReferenceRung(IReadOnlyList<SearchRung> rungs) =>
        KneeChoice.Of(rungs, options.Targets.MaxBy(target => target.LimitUs)!) is { } knee
            ? rungs[knee.SearchIndex]
            : rungs.MaxBy(rung => rung.RequestsPerSecond)!;

    private TuneRun Finish(TuneRun run, RoundRunner rounds)
    {
        TuneRun finished = run with
        {
            Knee = KneeChoice.Of(run.Search, run.Target),
            Recommendation = run.Proved is { } proved ? RecommendationOf(proved, run) : null,
        };
        return finished with
        {
            Answer = Headline.Of(finished),
            ConfigurationToPaste = ConfigurationCode.Of(finished),
            Assertions = [.. options.Assertions.Select(assertion => AssertionCheck.Of(assertion, finished))],
            Notes = [.. RunNotes.Of(finished, rounds.Repeated)],
        };
    }

    private Recommendation RecommendationOf(ProvedRate proved, TuneRun run) => new()
    {
        Base = run.Client.Configuration,
        Transport = options.Transport,
        MaxInFlight = proved.Cap,
        Channels = KneeChoice.OfThroughput(run.Search) is { Channels: > 0 } best ? best.Channels : null,
    };

    private TunedClient ClientOf(JsonObject? opened) => new()
    {
        Language = options.Client,
        Version = (string?)opened?["version"] ?? "",
        Runtime = (string?)opened?["runtime"] ?? "",
        Transport = (string?)opened?["transport"] ?? options.Transport,
        Configuration = options.Configuration,
        Server = options.Server ?? "embedded",
        Network = options.Delay is { } delay
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"{delay.RoundTrip.TotalMilliseconds:0.##} ms round trip"
                    + $"{(delay.Jitter > TimeSpan.Zero ? $", and up to {delay.Jitter.TotalMilliseconds:0.##} ms of jitter," : "")} through the delay proxy")
            : "loopback",
    };
}
