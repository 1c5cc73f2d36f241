using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.Rounds;

/// <summary>
/// Runs the rounds of a tuning. Determines their length from the budget, displays them, and collects their latencies for the timeline. A round that other
/// programs disturbed is repeated once, unless the maximum number of repeats is reached.
/// </summary>
internal sealed class RoundRunner(TuneOptions options, TimeBudget budget, ITuneView view)
{
    /// <summary>The maximum number of repeats in a run. On a machine that is never idle, repeats do not help, and the run must end.</summary>
    private const int MaxRepeats = 12;

    private readonly LatencyTimeline _timeline = new();
    private readonly HashSet<Contender> _preloaded = [];
    private int _repeatsLeft = MaxRepeats;
    private int _seed;

    /// <summary>Gets the latencies over the time of the run, for the rounds of the Larder client.</summary>
    public IReadOnlyList<TimeSlice> Timeline => _timeline.Slices;

    /// <summary>Gets the number of rounds that were repeated because other programs exceeded the noise limit.</summary>
    public int Repeated { get; private set; }

    /// <summary>
    /// Runs a round. <paramref name="load"/> creates the load from the measured seconds. <paramref name="roundsLeft"/> is the number of rounds left in the
    /// phase, including this one. <paramref name="kept"/> is reserved for later phases.
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
                        $"other programs use {others:F2} processors of the machine; "
                            + $"{MaxRepeats} rounds were repeated, and from now on disturbed rounds are marked instead of repeated"));
            }

            Round again = await RunOnceAsync(tested, step, load(seconds)).ConfigureAwait(false);
            round = again.OthersCpu <= others ? again : round;
        }

        return round;
    }

    /// <summary>
    /// Returns whether the remaining time is too short even for the shortest round. <paramref name="kept"/> is reserved for later phases and is not part of
    /// this time. Always returns false if the length of the rounds is given.
    /// </summary>
    public bool IsUp(TimeSpan kept) => options.Seconds is null && budget.Left - kept < budget.Expected(1, TimeBudget.MinSeconds);

    /// <summary>
    /// Reports the progress. <paramref name="left"/> is the remaining time if no phase ends early. Unless the length of the rounds is given, the reported time
    /// is at most the remaining budget, because a phase ends early instead of exceeding the budget.
    /// </summary>
    public void ShowTimeLeft(TimeSpan left)
    {
        TimeSpan spent = budget.Spent;
        TimeSpan most = budget.Left;
        TimeSpan shown = options.Seconds is null && left > most ? most : left;
        TimeSpan whole = spent + shown;
        view.OnTimeLeft(whole > TimeSpan.Zero ? spent / whole : 1, shown);
    }

    /// <summary>Runs a round with the given length, without repeats.</summary>
    public async Task<Round> RunOnceAsync(ClientUnderTest tested, LoadStep step, OfferedLoad load)
    {
        view.OnStepStarted(step);
        long begun = Stopwatch.GetTimestamp();
        load = load with { Seed = ++_seed, Preload = _preloaded.Add(tested.Contender) };
        Round round = await tested.RunAsync(load, progress => view.OnProgress(SecondOf(progress))).ConfigureAwait(false);
        TimeSpan took = Stopwatch.GetElapsedTime(begun);
        if (!load.Preload)
        {
            // The phase has already reserved the time for a longer warm-up. This time therefore does not count as overhead of each round.
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
