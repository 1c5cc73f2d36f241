using System.Diagnostics;

namespace Larder.Tuner.Bench;

/// <summary>Measures every rung with the contenders alternately, A B B A …, until each contender has enough undisturbed rounds.</summary>
internal sealed class Sweep(BenchOptions options, IReadOnlyList<Contender> contenders, IBenchView view)
{
    /// <summary>The time after which values are stored again, so that they do not expire. It is half of their TTL of ten minutes.</summary>
    private static readonly TimeSpan s_preloadEvery = TimeSpan.FromMinutes(5);

    /// <summary>The warm-up load of each process before the first measurement. A runtime compiles hot code only after some seconds of load.</summary>
    private static readonly Rung s_warmUp = new(50, new Cap(CapKind.Number, 50));

    // Guards the state that an interruption reads on another thread.
    private readonly Lock _lock = new();
    private readonly List<BenchRow> _rows = [];
    private readonly Dictionary<Contender, long> _preloaded = [];
    private Rung _rung = s_warmUp;
    private (Contender Contender, RoundTally Tally)[] _tallies = [];

    /// <summary>Runs the sweep. Returns all rows, ordered by rung. The rows of one rung are in the order of the contenders.</summary>
    public async Task<IReadOnlyList<BenchRow>> RunAsync()
    {
        foreach (Contender contender in contenders)
        {
            string step = $"{contender.Client} {contender.Transport} · warming up";
            await RunAsync(contender, s_warmUp, seed: 0, step).ConfigureAwait(false);
        }

        foreach (Rung rung in options.Rungs)
        {
            foreach (BenchRow row in await RunRungAsync(rung).ConfigureAwait(false))
            {
                view.OnRow(row);
            }
        }

        return _rows;
    }

    /// <summary>Returns the finished rows, and the rows of the current rung, which are computed from the rounds so far. Thread-safe.</summary>
    public (IReadOnlyList<BenchRow> Finished, IReadOnlyList<BenchRow> UnderWay) SoFar()
    {
        lock (_lock)
        {
            return ([.. _rows], [.. _tallies.Where(entry => entry.Tally.HasRounds).Select(RowOf)]);
        }
    }

    private BenchRow RowOf((Contender Contender, RoundTally Tally) entry) => entry.Tally.ToRow(entry.Contender.Client, entry.Contender.Transport, _rung);

    private async Task<IReadOnlyList<BenchRow>> RunRungAsync(Rung rung)
    {
        (Contender Contender, RoundTally Tally)[] tallies = contenders
            .Select(contender => (Contender: contender, Tally: new RoundTally(options.Rounds, options.NoiseLimit, options.RepeatDisturbed)))
            .ToArray();
        lock (_lock)
        {
            (_rung, _tallies) = (rung, tallies);
        }

        for (int turn = 1; tallies.Any(entry => entry.Tally.WantsMore); turn++)
        {
            // Every second turn has the reverse order, so that a steady change of the machine's speed affects all contenders alike.
            foreach ((Contender? contender, RoundTally? tally) in InTurn(tallies, turn).Where(entry => entry.Tally.WantsMore))
            {
                string step = $"{contender.Client} {contender.Transport} · {rung} callers · round {tally.Accepted + 1} of {options.Rounds}";
                Round round = await RunAsync(contender, rung, turn, step).ConfigureAwait(false);
                bool counts;
                lock (_lock)
                {
                    counts = tally.Add(round);
                }

                if (!counts && options.RepeatDisturbed)
                {
                    view.OnRejected(step, round.OthersCpu!.Value);
                }
            }
        }

        lock (_lock)
        {
            BenchRow[] rows = [.. tallies.Select(RowOf)];
            _rows.AddRange(rows);
            _tallies = [];
            return rows;
        }
    }

    private static IEnumerable<(Contender Contender, RoundTally Tally)> InTurn((Contender Contender, RoundTally Tally)[] tallies, int turn) =>
        turn % 2 == 1 ? tallies : tallies.AsEnumerable().Reverse();

    private Task<Round> RunAsync(Contender contender, Rung rung, int seed, string step) =>
        contender.RunAsync(
            options.OpenRequest(contender.Transport, rung),
            options.LoadRequest(rung, seed, NeedsPreload(contender)),
            progress => view.OnProgress(step, progress));

    private bool NeedsPreload(Contender contender)
    {
        if (_preloaded.TryGetValue(contender, out long last) && Stopwatch.GetElapsedTime(last) < s_preloadEvery)
        {
            return false;
        }

        _preloaded[contender] = Stopwatch.GetTimestamp();
        return true;
    }
}
