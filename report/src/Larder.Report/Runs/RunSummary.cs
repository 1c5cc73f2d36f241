
namespace Larder.Report.Runs;

/// <summary>
/// Removes data from a run, so that its file is small enough to commit. Removes the timeline, the percentile curves of all rungs except the knee, and the
/// curves of all steps except confirmations. The removed data makes up nine tenths of the file.
/// </summary>
internal static class RunSummary
{
    /// <summary>
    /// Returns the reduced run. It contains every value in the tables, and the data of all graphs except the heat map and the percentile curves of the peers.
    /// </summary>
    public static TuneRun Of(TuneRun run) => run with
    {
        Search = [.. run.Search.Select((rung, index) => index == run.Knee?.SearchIndex ? rung : WithoutCurves(rung))],
        Peers = [.. run.Peers.Select(peer => peer with { Rungs = [.. peer.Rungs.Select(WithoutCurves)] })],
        Channels = [.. run.Channels.Select(row => row with { Repetitions = [.. row.Repetitions.Select(WithoutCurve)] })],
        Adaptive = [.. run.Adaptive.Select(row => row with { Measured = WithoutCurve(row.Measured) })],
        Rates = [.. run.Rates.Select(step => step.Kind == RateStepKind.Confirm ? step : WithoutCurves(step))],
        Timeline = [],
    };

    private static SearchRung WithoutCurves(SearchRung rung) =>
        rung with { Repetitions = [.. rung.Repetitions.Select(WithoutCurve)] };

    private static RateStep WithoutCurves(RateStep step) => step with
    {
        Measured = WithoutCurve(step.Measured),
        Service = step.Service with { Curve = [] },
        Late = step.Late is { } late ? late with { Curve = [] } : null,
    };

    private static Measurement WithoutCurve(Measurement one) => one with { Latency = one.Latency with { Curve = [] } };
}
