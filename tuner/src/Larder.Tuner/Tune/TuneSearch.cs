using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Tune;

/// <summary>The first phase, closed loop: the arms' searches, a step of each in turn, so that a machine that slows down favours none of them.</summary>
internal sealed class TuneSearch(IReadOnlyList<Arm> arms, TuneOptions options, TuneRounds rounds, ITuneView view)
{
    /// <summary>What each process is warmed up by before anything counts: a runtime compiles what is hot only after some seconds of load.</summary>
    private const int WarmUpCallers = 50;

    private const double WarmUpSeconds = 2.5;

    private readonly ArmSearch[] _searches = [.. arms.Select(arm => new ArmSearch(arm, options))];

    /// <summary>Warms each agent up.</summary>
    public async Task WarmUpAsync()
    {
        foreach (Arm? arm in arms.DistinctBy(arm => arm.Contender))
        {
            await rounds
                .RunAsync(
                    arm,
                    new TuneStep(TunePhase.WarmUp, WarmUpCallers, arm.Name.Channels ?? 0, null, 1, 1),
                    _ => new TuneLoad(WarmUpCallers, WarmUpCallers, 0.5, WarmupSeconds: WarmUpSeconds),
                    1,
                    TimeSpan.Zero)
                .ConfigureAwait(false);
        }
    }

    /// <summary>Searches until all are done, or as far as the time is enough; <paramref name="kept"/> is for the later phases.</summary>
    public async Task<IReadOnlyList<ArmSearch>> RunAsync(TimeSpan kept)
    {
        while (_searches.Any(search => search.Next is not null))
        {
            if (rounds.IsUp(kept))
            {
                Array.ForEach(_searches, search => search.Hurry());
            }

            foreach (ArmSearch search in _searches)
            {
                if (search.Next is { } callers)
                {
                    await StepAsync(search, callers, kept).ConfigureAwait(false);
                }
            }
        }

        return _searches;
    }

    private async Task StepAsync(ArmSearch search, int callers, TimeSpan kept)
    {
        var step = new TuneStep(TunePhase.Search, callers, search.Arm.Name.Channels ?? 0, null, search.Pass, options.Passes);
        Round round = await rounds
            .RunAsync(search.Arm, step, seconds => new TuneLoad(callers, callers, seconds), _searches.Sum(other => other.Left), kept)
            .ConfigureAwait(false);
        SearchRung rung = search.Add(round);
        if (!search.Arm.Name.IsPeer)
        {
            view.OnRung(rung);
        }
    }
}
