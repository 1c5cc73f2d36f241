using Larder.Tuner.Report;
using Larder.Tuner.Report.Page;
using Larder.Tuner.Report.Tables;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Tests.Tune;

public sealed class ProofVerdictTests
{
    [Fact]
    public void A_proof_that_kept_the_target_at_every_share_held()
    {
        TuneRun run = Proved(1_000, 2_000, 3_000, 4_000);
        Assert.Equal(95, ProofVerdict.KeptUpTo(run)!.Percent);
        Assert.Equal(
            "The proof held: with arrivals on a schedule, p99.9 < 5 ms was kept up to 95 % of this throughput; at 70 % the felt p99.9 was 2.00 ms.",
            ProofVerdict.Of(run));
    }

    [Fact]
    public void A_proof_that_missed_the_target_says_where_and_by_how_much()
    {
        TuneRun run = Proved(1_000, 2_000, 5_001, 1_250_000);
        Assert.Equal(70, ProofVerdict.KeptUpTo(run)!.Percent);
        Assert.Equal(
            "The proof held up to 70 % of this throughput: with arrivals on a schedule, p99.9 < 5 ms was missed at 85 % (felt p99.9 5.00 ms); at 70 % the "
                + "felt p99.9 was 2.00 ms.",
            ProofVerdict.Of(run));
        Assert.EndsWith("was missed at 70 % (felt p99.9 316 ms).", ProofVerdict.Of(Proved(1_000, 316_000, 1_000, 1_000)), StringComparison.Ordinal);
    }

    [Fact]
    public void A_target_kept_only_after_it_was_missed_is_luck()
    {
        TuneRun run = Proved(5_001, 2_000, 2_000, 2_000);
        Assert.Null(ProofVerdict.KeptUpTo(run));
        Assert.StartsWith(
            "The proof did not hold: with arrivals on a schedule, p99.9 < 5 ms was missed at 50 % of this throughput already (felt p99.9 5.00 ms); at 70 %",
            ProofVerdict.Of(run),
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_schedule_that_was_not_kept_is_a_target_that_was_not_kept()
    {
        TuneRun run = Proved(1_000, 2_000, 3_000, 4_000);
        run = run with
        {
            Proof =
            [
                .. run.Proof.Select(step =>
                    step.Percent > 90 ? step with { Measured = step.Measured with { RequestsPerSecond = step.IntendedPerSecond * 0.9 } } : step),
            ],
        };
        Assert.Equal(85, ProofVerdict.KeptUpTo(run)!.Percent);
        Assert.Contains("calls a second were answered", ProofVerdict.Of(run), StringComparison.Ordinal);
    }

    [Fact]
    public void A_noisy_machine_is_told_to_repeat_once()
    {
        TuneRun run = Proved(1_000, 2_000, 3_000, 4_000);
        run = run with { Search = [.. run.Search.Select(rung => rung with { Repetitions = [.. rung.Repetitions.Select(one => one with { Noisy = true })] })] };
        Assert.EndsWith(" Noisy machine, 10 of 10 rungs and 0 of 4 steps of the proof disturbed: repeat.", ProofVerdict.Of(run), StringComparison.Ordinal);
        IEnumerable<string> notes = TuneNotes.Of(run, repeated: 12).Where(note => note.Contains("other programs", StringComparison.Ordinal));
        Assert.Equal(
            "Noisy machine (~): other programs disturbed most passes at 1, 2, 3, 5, 8, 13, 21, 34, 55, 89 in flight, although 12 rounds were run again "
                + "because other programs used the machine.",
            Assert.Single(notes));
    }

    [Fact]
    public void The_sentence_stands_on_the_terminal_in_the_page_and_in_markdown()
    {
        TuneRun run = Proved(1_000, 316_000, 3_000, 4_000);
        Assert.Contains(ProofVerdict.Of(run), RunAnswer.Of(run), StringComparison.Ordinal);
        Assert.Contains(ProofVerdict.Of(run), MarkdownTable.Of(run), StringComparison.Ordinal);
        Assert.Contains(ProofVerdict.Of(run).Replace("<", "&lt;", StringComparison.Ordinal), RunReport.Of(run), StringComparison.Ordinal);
    }

    [Fact]
    public void Where_nothing_was_proved_nothing_is_said() => Assert.Equal("", ProofVerdict.Of(SampleRun.Make() with { Proof = [] }));

    /// <summary>The sample with what was felt at 50, 70, 85 and 95 %, in µs, and every schedule kept.</summary>
    private static TuneRun Proved(params double[] feltP999Us)
    {
        TuneRun run = SampleRun.Make();
        return run with
        {
            Proof =
            [
                .. run.Proof.Zip(
                    feltP999Us,
                    (step, us) =>
                        step with
                        {
                            Measured = step.Measured with { RequestsPerSecond = step.IntendedPerSecond, Latency = step.Measured.Latency with { P999Us = us } },
                        }),
            ],
        };
    }
}
