using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Report;

namespace Larder.Tuner.Tune;

/// <summary>A whole tuning: search, knee, proof, comparison of channels; one run for each target. They share the search.</summary>
internal sealed class Tuning(TuneOptions options, ITuneView view, TimeProvider clock)
{
    /// <summary>Part of the budget that the proofs get: twelve rounds each, beside some fifty of the search.</summary>
    private const double ProofShare = 0.25;

    /// <summary>Part that the adaptive cap gets: nine rounds for each target, six of them with two to four seconds to settle in.</summary>
    private const double AdaptiveShare = 0.2;

    /// <summary>Part that the comparison of channels gets: 24 rounds of .NET, 48 of the others.</summary>
    private const double ChannelShare = 0.3;

    /// <summary>What some 70 rounds of the least length take, whatever the budget says: 0.3 s each, and 0.4 s and more around it.</summary>
    private static readonly TimeSpan s_shortest = TimeSpan.FromSeconds(60);

    private readonly TuneBudget _budget = new(options.Budget, clock, options.Seconds);

    /// <summary>Measures; a run for each target, in their order.</summary>
    public async Task<IReadOnlyList<TuneRun>> RunAsync()
    {
        view.OnStart(
            ClientOf(null),
            options.Targets[0],
            options.Workload.Describe(),
            options.Seconds is null
                ? options.Budget > s_shortest
                    ? options.Budget
                    : s_shortest
                : null);
        var machine = Fingerprint.Take();
        await using TuneStand stand = await TuneStand.StartAsync(options).ConfigureAwait(false);
        var rounds = new TuneRounds(options, _budget, view);
        var search = new TuneSearch(stand.Arms, options, rounds, view);
        await search.WarmUpAsync().ConfigureAwait(false);
        // Only an opened client says which transport "auto" is.
        view.OnBegin(ClientOf(stand.Arms[0].Contender.Opened), options.Targets[0], options.Workload.Describe());
        TimeSpan keptForChannels = options.CompareChannels ? options.Budget * ChannelShare : TimeSpan.Zero;
        TimeSpan keptForAdaptive = options.Adaptive ? options.Budget * AdaptiveShare : TimeSpan.Zero;
        IReadOnlyList<ArmSearch> searches = await search.RunAsync(keptForChannels + keptForAdaptive + (options.Budget * ProofShare)).ConfigureAwait(false);
        var own = searches.Where(one => !one.Arm.Name.IsPeer).ToList();
        IReadOnlyList<SearchRung> rungs = [.. own.SelectMany(one => one.Rungs)];
        IReadOnlyList<IReadOnlyList<ProofStep>> proofs = await ProveAsync(own, rungs, rounds, keptForChannels + keptForAdaptive).ConfigureAwait(false);
        IReadOnlyList<IReadOnlyList<AdaptiveRow>> adaptive = await AdaptAsync(own, rungs, proofs, rounds, keptForChannels).ConfigureAwait(false);
        IReadOnlyList<ChannelRow> channels = options.CompareChannels && rungs.Count > 0
            ? await new ChannelComparison(stand, own[0].Arm, ReferenceRung(rungs), options, rounds).RunAsync().ConfigureAwait(false)
            : [];
        var common = new TuneRun
        {
            Command = options.Command,
            Machine = machine,
            TookSeconds = Math.Round(_budget.Spent.TotalSeconds, 1),
            Client = ClientOf(own[0].Arm.Contender.Opened),
            Target = options.Targets[0],
            Workload = options.Workload.Describe(),
            Search = rungs,
            Timeline = rounds.Timeline,
            Channels = channels,
            Peers = [.. searches.Where(one => one.Arm.Name.IsPeer).Select(one => new PeerSeries(one.Arm.Contender.Client, one.Rungs))],
        };
        TuneRun[] runs =
        [
            .. options.Targets.Select((target, index) => Finish(common with { Target = target, Proof = proofs[index], Adaptive = adaptive[index] }, rounds)),
        ];
        view.OnEnd(runs[0]);
        return runs;
    }

    /// <summary>A proof for each target; targets with the same knee share it, one without a knee has none.</summary>
    private async Task<IReadOnlyList<IReadOnlyList<ProofStep>>> ProveAsync(
        List<ArmSearch> own,
        IReadOnlyList<SearchRung> rungs,
        TuneRounds rounds,
        TimeSpan kept)
    {
        var knees = options.Targets.Select(target => KneeChoice.Of(rungs, target)?.SearchIndex).ToList();
        var different = knees.OfType<int>().Distinct().ToList();
        var proofs = new Dictionary<int, IReadOnlyList<ProofStep>>();
        ShowKnee(rungs);
        for (int i = 0; i < different.Count; i++)
        {
            SearchRung knee = rungs[different[i]];
            proofs[different[i]] = await new TuneProof(ArmOf(own, knee), knee, options, rounds, view)
                .RunAsync(KeptWith(kept, i, different.Count))
                .ConfigureAwait(false);
        }

        return [.. knees.Select(knee => knee is { } index ? proofs[index] : [])];
    }

    /// <summary>The adaptive cap beside each target's knee; nothing without one.</summary>
    private async Task<IReadOnlyList<IReadOnlyList<AdaptiveRow>>> AdaptAsync(
        List<ArmSearch> own,
        IReadOnlyList<SearchRung> rungs,
        IReadOnlyList<IReadOnlyList<ProofStep>> proofs,
        TuneRounds rounds,
        TimeSpan kept)
    {
        var rows = new List<IReadOnlyList<AdaptiveRow>>();
        for (int i = 0; i < options.Targets.Count; i++)
        {
            TuneTarget target = options.Targets[i];
            rows.Add(
                options.Adaptive && TuneAdaptive.Serves(target) && KneeChoice.Of(rungs, target) is { } knee
                    ? await new TuneAdaptive(ArmOf(own, rungs[knee.SearchIndex]), rungs[knee.SearchIndex], target, proofs[i], options, rounds, view)
                        .RunAsync(KeptWith(kept, i, options.Targets.Count))
                        .ConfigureAwait(false)
                    : []);
        }

        return rows;
    }

    private static Arm ArmOf(List<ArmSearch> own, SearchRung knee) => own.First(one => (one.Arm.Name.Channels ?? 0) == knee.Channels).Arm;

    /// <summary>What is kept beside part <paramref name="index"/> of so many: what is left after it is shared evenly by the parts to come.</summary>
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

    /// <summary>Where channels are compared: the knee of the laxest target, or without one the rung with most throughput.</summary>
    private SearchRung ReferenceRung(IReadOnlyList<SearchRung> rungs) =>
        KneeChoice.Of(rungs, options.Targets.MaxBy(target => target.LimitUs)!) is { } knee
            ? rungs[knee.SearchIndex]
            : rungs.MaxBy(rung => rung.RequestsPerSecond)!;

    private TuneRun Finish(TuneRun run, TuneRounds rounds)
    {
        ChosenKnee? knee = KneeChoice.Of(run.Search, run.Target);
        TuneRun finished = run with
        {
            Knee = knee,
            Recommendation = knee is null ? null : RecommendationOf(run.Search[knee.SearchIndex], run),
        };
        return finished with
        {
            Answer = $"{Headline.Of(finished)} {ProofVerdict.Of(finished)}".TrimEnd(),
            ConfigurationToPaste = ConfigurationCode.Of(finished),
            Assertions = [.. options.Assertions.Select(assertion => AssertionCheck.Of(assertion, finished))],
            Notes = [.. TuneNotes.Of(finished, rounds.Repeated)],
        };
    }

    private Recommendation RecommendationOf(SearchRung knee, TuneRun run) => new()
    {
        Base = run.Client.Configuration,
        Transport = options.Transport,
        MaxInFlight = knee.Callers,
        Channels = knee.Channels > 0 ? knee.Channels : null,
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
                $"{delay.RoundTrip.TotalMilliseconds:0.##} ms there and "
                    + $"back{(delay.Jitter > TimeSpan.Zero ? $", and up to {delay.Jitter.TotalMilliseconds:0.##} ms of jitter," : "")} through the delay proxy")
            : "loopback",
    };
}
