using Larder.Harness;
using Larder.Report;
using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Tuner.Tune;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;

namespace Larder.Lab.Story;

/// <summary>The last experiment: tunes the Larder client for both targets over each transport, within the remaining budget.</summary>
internal sealed class StoryTargets(StoryOptions options, TimeBudget budget, TextWriter said, TimeProvider clock)
{
    private static readonly string[] s_transports = ["unary", "pipeline"];

    /// <summary>The minimum duration of a tuning, regardless of its budget (<see cref="Tuning"/>).</summary>
    private static readonly TimeSpan s_shortest = TimeSpan.FromSeconds(40);

    /// <summary>The time in seconds for which the idle machine is observed if the duration of the loads is specified.</summary>
    private const double BriefFloorSeconds = 0.1;

    /// <summary>Runs the tunings. <paramref name="onClient"/> receives the client's version and runtime.</summary>
    public async Task<StoryStep> RunAsync(PlannedStep step, Action<string, string> onClient)
    {
        var answers = new List<StoryResult>();
        var rows = new List<StoryRow>();
        var failures = new List<string>();
        for (int index = 0; index < s_transports.Length; index++)
        {
            string transport = s_transports[index];
            TimeSpan part = budget.Left / (s_transports.Length - index);
            if (part < (options.Seconds is null ? s_shortest : TimeSpan.FromTicks(1)))
            {
                failures.Add($"{transport} was skipped because the budget was used up.");
                continue;
            }

            try
            {
                IReadOnlyList<TuneRun> runs = await new Tuning(OptionsFor(transport, part), new PlainTuneView(said), clock).RunAsync().ConfigureAwait(false);
                onClient(runs[0].Client.Version, runs[0].Client.Runtime);
                answers.AddRange(runs.Select(AnswerOf));
                rows.AddRange(runs.Select(RowOf).OfType<StoryRow>());
            }
            catch (HarnessException failed) when (!Interruption.Explains(failed))
            {
                failures.Add($"{transport}: {failed.Message.Split('\n', 2)[0]}");
                said.WriteLine($"  {failures[^1]}");
            }
        }

        return step.With(rows) with { Answers = answers, Failure = failures.Count == 0 ? null : string.Join(' ', failures) };
    }

    private TuneOptions OptionsFor(string transport, TimeSpan part) => new()
    {
        Client = options.Client,
        Targets = StoryOptions.Targets,
        Transport = transport,
        Configuration = "inRegion.default",
        Delay = StoryPlan.Region,
        Passes = 1,
        Seconds = options.Seconds,
        Budget = part,
        Most = options.Most,
        Adaptive = false,
        NoiseLimit = options.NoiseLimit,
        FloorSeconds = options.Seconds is null ? 1.5 : BriefFloorSeconds,
        Command = options.Command,
    };

    private static StoryResult AnswerOf(TuneRun run) => new()
    {
        Transport = run.Client.Transport,
        Target = run.Target,
        Proved = run.Proved,
        Sentence = Headline.Of(run),
        Knee = run.KneeRung()?.Callers,
        KneeRate = run.KneeRung()?.RequestsPerSecond,
        Code = ConfigurationCode.Of(run),
        Published = run.Client.Transport == "unary" ? PublishedFigures.Target(run.Client.Language, run.Target.LimitUs) : null,
    };

    private static StoryRow? RowOf(TuneRun run) => RateAnswer.ProofOf(run.Proved, run.Rates) is not { } proof ? null : new()
    {
        Name = $"{run.Client.Transport}, {TargetText.Of(run.Target)}",
        Series = run.Client.Transport,
        X = run.Target.LimitUs,
        Passes = [StoryRunner.WithoutCurve(proof.Measured)],
        Published = PublishedFigures.Target(run.Client.Language, run.Target.LimitUs) is { } published && run.Client.Transport == "unary"
            ? new($"{Show.Count(published.RequestsPerSecond)}/s with {Show.Count(published.InFlight)} in flight", published.RequestsPerSecond)
            : null,
    };
}
