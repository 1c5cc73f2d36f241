using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.ClosedLoop;

/// <summary>
/// The first phase, a closed loop. It measures the concurrency ladders of all clients. After each rung, it continues with the next client, so that a machine
/// that slows down favours no client.
/// </summary>
internal sealed class ClosedLoopPhase(IReadOnlyList<ClientUnderTest> clients, TuneOptions options, RoundRunner rounds, ITuneView view)
{
    /// <summary>
    /// The number of callers of the warm-up load, which each process gets before the first measurement. A runtime compiles hot code only after some seconds of
    /// load.
    /// </summary>
    private const int WarmUpCallers = 50;

    private const double WarmUpSeconds = 2.5;

    private readonly ConcurrencyLadder[] _ladders = [.. clients.Select(tested => new ConcurrencyLadder(tested, options))];

    /// <summary>Gets the ladders of all clients so far.</summary>
    public IReadOnlyList<ConcurrencyLadder> Ladders => _ladders;

    public async Task WarmUpAsync()
    {
        foreach (ClientUnderTest? tested in clients.DistinctBy(tested => tested.Contender))
        {
            await rounds
                .RunAsync(
                    tested,
                    new LoadStep(TunePhase.WarmUp, WarmUpCallers, tested.Variant.Channels ?? 0, null, 1, 1),
                    _ => new OfferedLoad(WarmUpCallers, WarmUpCallers, 0.5, WarmupSeconds: WarmUpSeconds),
                    1,
                    TimeSpan.Zero)
                .ConfigureAwait(false);
        }
    }

    /// <summary>Searches until all ladders are complete or the time is used up. <paramref name="kept"/> is reserved for later phases.</summary>
    public async Task<IReadOnlyList<ConcurrencyLadder>> RunAsync(TimeSpan kept)
    {
        while (_ladders.Any(ladder => ladder.Next is not null))
        {
            if (rounds.IsUp(kept))
            {
                Array.ForEach(_ladders, ladder => ladder.ShortenSearch());
            }

            foreach (ConcurrencyLadder ladder in _ladders)
            {
                if (ladder.Next is { } callers)
                {
                    await StepAsync(ladder, callers, kept).ConfigureAwait(false);
                }
            }
        }

        return _ladders;
    }

    private async Task StepAsync(ConcurrencyLadder ladder, int callers, TimeSpan kept)
    {
        var step = new LoadStep(TunePhase.Search, callers, ladder.Client.Variant.Channels ?? 0, null, ladder.Pass, options.Passes);
        Round round = await rounds
            .RunAsync(ladder.Client, step, seconds => new OfferedLoad(callers, callers, seconds), _ladders.Sum(other => other.Left), kept)
            .ConfigureAwait(false);
        SearchRung rung = ladder.Add(round);
        if (!ladder.Client.Variant.IsPeer)
        {
            view.OnRung(rung);
        }
    }
}
