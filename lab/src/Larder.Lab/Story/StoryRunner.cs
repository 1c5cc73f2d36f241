using System.Globalization;
using Larder.Harness;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Tune.Rounds;

namespace Larder.Lab.Story;

/// <summary>
/// Runs the experiments one after another within a budget. If a step fails, it records the failure and the next step runs. <see cref="SoFar"/> contains the
/// completed steps at any time.
/// </summary>
internal sealed class StoryRunner(StoryOptions options, TextWriter said, TimeProvider clock)
{
    /// <summary>The share of the budget that is reserved for the last step, which tunes the client for two targets.</summary>
    private const double TargetsShare = 0.6;

    /// <summary>The number of callers from which a load needs a longer warm-up. All callers start together, so the first calls wait for each other.</summary>
    private const int ManyCallers = 1_000;

    private const double WarmupSeconds = 0.25, LongWarmupSeconds = 1, WarmingSeconds = 1;

    private readonly Lock _lock = new();
    private readonly TimeBudget _budget = new(options.Budget, clock, options.Seconds);
    private StoryRun _run = new()
    {
        Command = options.Command,
        Machine = ThisMachine.Fingerprint(),
        Language = options.Client,
        Most = options.Most,
        Transports = MeasuredTransport.Of(options.Client),
    };
    private int _roundsLeft;
    private int _seed;

    /// <summary>Gets the completed steps.</summary>
    public StoryRun SoFar
    {
        get
        {
            lock (_lock)
            {
                return _run with { TookSeconds = Math.Round(_budget.Spent.TotalSeconds, 1) };
            }
        }
    }

    public async Task<StoryRun> TellAsync()
    {
        IReadOnlyList<PlannedStep> plan = StoryPlan.Of(options);
        _roundsLeft = plan.Sum(step => step.Loads.Count) * options.Passes;
        TimeSpan kept = plan.Any(step => step.Id == StoryPlan.Targets) ? options.Budget * TargetsShare : TimeSpan.Zero;
        IReadOnlyList<ShippedCaps> shipped = await ShippedReader.ReadAsync(options.Client).ConfigureAwait(false);
        Keep(run => run with { Shipped = shipped });
        using var meter = new StallMeter();
        await using var stand = new StoryTestBed(options.Client, meter, options.Seconds ?? WarmingSeconds);
        foreach (PlannedStep step in plan)
        {
            said.WriteLine(step.Title);
            TimeSpan begun = _budget.Spent;
            StoryStep done;
            if (step.Id == StoryPlan.Targets)
            {
                await stand.DisposeAsync().ConfigureAwait(false);
                done = await new StoryTargets(options, _budget, said, clock).RunAsync(step, Client).ConfigureAwait(false);
            }
            else
            {
                done = await MeasureAsync(step, stand, kept).ConfigureAwait(false);
            }

            done = done with { TookSeconds = Math.Round((_budget.Spent - begun).TotalSeconds, 1) };
            foreach (string sentence in StoryFindings.Of(done, SoFar))
            {
                said.WriteLine($"  {sentence}");
            }

            Keep(run => run with { Steps = [.. run.Steps, done] });
        }

        return SoFar;
    }

    private void Client(string version, string runtime) => Keep(run => run with { ClientVersion = version, Runtime = runtime });

    private void Keep(Func<StoryRun, StoryRun> with)
    {
        lock (_lock)
        {
            _run = with(_run);
        }
    }

    private async Task<StoryStep> MeasureAsync(PlannedStep step, StoryTestBed stand, TimeSpan kept)
    {
        if (IsUp(step.Loads.Count, kept))
        {
            _roundsLeft -= step.Loads.Count * options.Passes;
            return step.With([]) with { Failure = "Skipped: the budget was used up." };
        }

        // Loads are compared by reference. A low maximum number of callers can make two loads equal, but each of them has its own row.
        var rounds = step.Loads.ToDictionary<StoryLoad, StoryLoad, List<Round>>(load => load, _ => [], ReferenceEqualityComparer.Instance);
        var failures = new Dictionary<StoryLoad, string>(ReferenceEqualityComparer.Instance);
        for (int pass = 1; pass <= options.Passes; pass++)
        {
            if (pass > 1 && IsUp(_roundsLeft, kept))
            {
                _roundsLeft -= step.Loads.Count * (options.Passes - pass + 1);
                break;
            }

            foreach (StoryLoad load in (pass % 2 == 1 ? step.Loads : step.Loads.Reverse()).Where(load => !failures.ContainsKey(load)))
            {
                try
                {
                    rounds[load].Add(await RunAsync(load, stand, kept).ConfigureAwait(false));
                }
                catch (HarnessException failed) when (!Interruption.Explains(failed))
                {
                    failures[load] = $"{load.Name}: {failed.Message}";
                    said.WriteLine($"  {failures[load]}");
                    await stand.DisposeAsync().ConfigureAwait(false);
                }
            }

            _roundsLeft -= step.Loads.Count;
        }

        StoryRow[] rows = [.. step.Loads.Select(load => RowOf(load, rounds[load]))];
        return step.With(rows) with { Failure = failures.Count == 0 ? null : string.Join(' ', failures.Values.Select(FirstLine)) };
    }

    /// <summary>
    /// Returns whether the given number of rounds would exceed the budget minus the reserved time. Each round has the length from the options, or the minimum
    /// length if the options specify none.
    /// </summary>
    private bool IsUp(int rounds, TimeSpan kept) => _budget.Left - kept < _budget.Expected(rounds, options.Seconds ?? TimeBudget.MinSeconds);

    private async Task<Round> RunAsync(StoryLoad load, StoryTestBed stand, TimeSpan kept)
    {
        double seconds = _budget.RoundSeconds(_roundsLeft, kept);
        double usual = load.Callers * load.Processes >= ManyCallers ? LongWarmupSeconds : WarmupSeconds;
        double warmup = Math.Min(usual, options.Seconds ?? usual);
        TimeSpan begun = _budget.Spent;
        Round round = await stand.RunAsync(load, seconds, warmup, _seed += load.Processes).ConfigureAwait(false);
        _budget.OnRound(_budget.Spent - begun, seconds);
        said.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"  {load.Name}: {round.RequestsPerSecond:N0}/s, p50 {round.Histogram.QuantileUs(0.5) / 1000:F2} ms, p99.9 "
                + $"{round.Histogram.QuantileUs(0.999) / 1000:F1} ms [{_budget.Left.TotalSeconds:N0} s left]"));
        return round;
    }

    private StoryRow RowOf(StoryLoad load, IReadOnlyList<Round> rounds) => new()
    {
        Name = load.Name,
        Series = load.Series,
        X = load.X,
        Passes = [.. rounds.Select(round => WithoutCurve(RoundFigures.Of(round, options.NoiseLimit)))],
        Published = load.Published,
    };

    /// <summary>Removes the percentile curve. Curves take nine tenths of a file, and no graph of the story uses them.</summary>
    public static Measurement WithoutCurve(Measurement one) => one with { Latency = one.Latency with { Curve = [] } };

    private static string FirstLine(string text) => text.Split('\n', 2)[0];
}
