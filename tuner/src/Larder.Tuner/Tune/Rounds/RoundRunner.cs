using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.Rounds;

/// <summary>
/// Runs the rounds of a tuning one after another: sizes them by the budget, shows them, keeps their latencies for the timeline, and repeats one that other
/// programs disturbed, once, as long as repeats are left.
/// </summary>
internal sealed class RoundRunner(TuneOptions options, TimeBudget budget, ITuneView view)
{
    /// <summary>Repeats of a whole run: on a machine that is never quiet they would not help, and the run must end.</summary>
    private const int MostRepeats = 12;

    private readonly LatencyTimeline _timeline = new();
    private readonly HashSet<Contender> _preloaded = [];
    private int _repeatsLeft = MostRepeats;
    private int _seed;

    /// <summary>Latencies over the run's time, of our own client's rounds.</summary>
    public IReadOnlyList<TimeSlice> Timeline => _timeline.Slices;

    /// <summary>Rounds in which other programs used more than the noise limit, and that were run again.</summary>
    public int Repeated { get; private set; }

    /// <summary>
    /// Runs one; <paramref name="load"/> makes it from its measured seconds. <paramref name="roundsLeft"/> of its phase, this one included;
    /// <paramref name="kept"/> is for later phases.
    /// </summary>
    public async Task<Round> RunAsync(ClientUnderTest tested, LoadStep step, Func<double, OfferedLoad> load, int roundsLeft, TimeSpan kept)
    {
        double seconds = budget.RoundSeconds(roundsLeft, kept);
        ShowTimeLeft(budget.Expected(roundsLeft, seconds) + kept);
        Round round = await RunOnceAsync(tested, step, load(seconds)).ConfigureAwait(false);
        if (round.OthersCpu is { } others && others > options.NoiseLimit && _repeatsLeft > 0)
        {
            _repeatsLeft--;
            Repeated++;
            if (_repeatsLeft == 0)
            {
                view.OnNote(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"other programs use the machine, {others:F2} processors just now: {MostRepeats} rounds were run again, further ones are only marked"));
            }

            Round again = await RunOnceAsync(tested, step, load(seconds)).ConfigureAwait(false);
            round = again.OthersCpu <= others ? again : round;
        }

        return round;
    }

    /// <summary>Whether not even the shortest round fits before what is <paramref name="kept"/> begins; never where rounds have a given length.</summary>
    public bool IsUp(TimeSpan kept) => options.Seconds is null && budget.Left - kept < budget.Expected(1, TimeBudget.LeastSeconds);

    /// <summary>
    /// Shows how far the run is. The rounds still to come are counted at their most, but a phase ends early rather than exceed the budget.
    /// </summary>
    public void ShowTimeLeft(TimeSpan left)
    {
        TimeSpan spent = budget.Spent;
        TimeSpan most = budget.Left;
        TimeSpan shown = options.Seconds is null && left > most ? most : left;
        TimeSpan whole = spent + shown;
        view.OnTimeLeft(whole > TimeSpan.Zero ? spent / whole : 1, shown);
    }

    /// <summary>Runs one as long as it says, and only once.</summary>
    public async Task<Round> RunOnceAsync(ClientUnderTest tested, LoadStep step, OfferedLoad load)
    {
        view.OnStepStarted(step);
        long begun = Stopwatch.GetTimestamp();
        load = load with { Seed = ++_seed, Preload = _preloaded.Add(tested.Contender) };
        Round round = await tested.RunAsync(load, progress => view.OnProgress(SecondOf(progress))).ConfigureAwait(false);
        TimeSpan took = Stopwatch.GetElapsedTime(begun);
        if (!load.Preload)
        {
            // A longer warm-up was kept for by its phase, and is no cost of every round.
            budget.OnRound(took, load.Seconds + load.WarmupSeconds - OfferedLoad.UsualWarmupSeconds);
        }

        if (!tested.Variant.IsPeer)
        {
            _timeline.Add(step, budget.Spent.TotalSeconds - round.MeasuredSeconds, round);
        }

        return round;
    }

    private static LoadSecond SecondOf(JsonObject progress) => new(
        (int)progress["second"]!,
        (long)progress["requests"]!,
        (long)progress["errors"]!,
        (double)progress["p50Us"]!,
        (double)progress["p99Us"]!,
        (double)progress["p999Us"]!,
        (double)progress["maxUs"]!);
}
