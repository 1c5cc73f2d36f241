using System.Globalization;
using Larder.Agent;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Tune;

/// <summary>
/// The second phase, open loop: calls due at shares of the knee's throughput whether or not earlier ones are answered, so that queueing is not hidden.
/// </summary>
internal sealed class TuneProof(Arm arm, SearchRung knee, TuneOptions options, TuneRounds rounds, ITuneView view)
{
    /// <summary>Passes over the loads: up, down, up.</summary>
    private const int Passes = 3;

    /// <summary>
    /// Callers beside those in flight, so that an arrival finds one: a burst of 500 waits in the client's own queue, as an application's would.
    /// </summary>
    private const int SpareCallers = 500;

    /// <summary>
    /// Warm-up of a round. What queues while its stream is opened and its caches are cold is worked off with what the load leaves free alone: at 85 % of the
    /// knee that takes six times as long. That is how a load begins, not how it is: after a warm-up of 0.25 and of 1 s, the felt p99.9 of .NET's unary at
    /// 860,000 a second was 64 and 17.5 ms, of its pipeline at 1,500,000 it was 25 and 14 ms (medians of three, alone on two processors).
    /// </summary>
    private const double WarmupSeconds = 1;

    /// <summary>Part of the calls due that must have ended in time for the schedule to count as kept: arrivals by chance differ by a few per cent.</summary>
    public const double Kept = 0.97;

    private static readonly TimeSpan s_longerWarmup = TimeSpan.FromSeconds(WarmupSeconds - TuneLoad.UsualWarmupSeconds);

    /// <summary>Rounds that it takes.</summary>
    public static int Rounds => Passes * TuneOptions.ProofLoads.Count;

    /// <summary>Measures; <paramref name="kept"/> is for the later phases.</summary>
    public async Task<IReadOnlyList<ProofStep>> RunAsync(TimeSpan kept)
    {
        var measured = TuneOptions.ProofLoads.ToDictionary(load => load, _ => new List<Round>());
        int left = Rounds;
        for (int pass = 1; pass <= Passes; pass++)
        {
            foreach (int load in pass % 2 == 1 ? TuneOptions.ProofLoads : TuneOptions.ProofLoads.Reverse())
            {
                int callers = knee.Callers + SpareCallers;
                var step = new TuneStep(TunePhase.Proof, callers, knee.Channels, load, pass, Passes);
                measured[load]
                    .Add(
                        await rounds
                            .RunAsync(
                                arm,
                                step,
                                seconds => new TuneLoad(callers, knee.Callers, seconds, RatePerSecond: Rate(load), WarmupSeconds: WarmupSeconds),
                                left,
                                kept + (left * s_longerWarmup))
                            .ConfigureAwait(false));
                left--;
            }
        }

        ProofStep[] steps = [.. TuneOptions.ProofLoads.Select(load => StepOf(load, measured[load]))];
        foreach (ProofStep step in steps)
        {
            view.OnProof(step);
        }

        return steps;
    }

    private double Rate(int load) => load / 100.0 * knee.RequestsPerSecond;

    private ProofStep StepOf(int load, List<Round> passes)
    {
        Round merged = RoundSum.Of(passes);
        return new ProofStep
        {
            Percent = load,
            IntendedPerSecond = Rate(load),
            Measured = Measurement.Of(merged, options.NoiseLimit),
            Service = LatencySummary.Of(merged.ServiceHistogram ?? new LoadHistogram()),
            Unstarted = merged.Unstarted,
            Verdict = VerdictOf(load, passes, merged),
        };
    }

    /// <summary>
    /// A schedule that was kept was limited by nothing. Processor time says less here than in the search: on a single thread the agent goes round while it
    /// waits for the next arrival.
    /// </summary>
    private StepVerdict VerdictOf(int load, List<Round> passes, Round merged)
    {
        StepVerdict verdict = StepJudge.Of(StepEvidence.Of(arm.Name, knee.Callers, passes, options.NoiseLimit));
        return verdict.Limit is StepLimit.Errors or StepLimit.Noise || merged.RequestsPerSecond < Kept * Rate(load)
            ? verdict
            : new StepVerdict(
                StepLimit.Callers,
                string.Create(CultureInfo.InvariantCulture, $"the schedule was kept: {merged.RequestsPerSecond:N0} of {Rate(load):N0} calls a second"));
    }
}
