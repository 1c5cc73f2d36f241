using Larder.Agent;
using Larder.Report.Runs;

namespace Larder.Tuner.Bench;

/// <summary>Converts a round to the measurement that a run stores instead of the histograms.</summary>
internal static class RoundFigures
{
    /// <summary>Returns the measurement. It is marked as noisy if other programs used more than <paramref name="noiseLimit"/> processors.</summary>
    public static Measurement Of(Round round, double noiseLimit) => new()
    {
        Seconds = round.MeasuredSeconds,
        RequestsPerSecond = round.RequestsPerSecond,
        Latency = Summary(round.Histogram),
        Server = round.Server is { } server ? new ServerPercentiles(server.Calls, server.P50Us, server.P99Us, server.P999Us) : null,
        Errors = round.Errors,
        Hits = round.Hits,
        Misses = round.Misses,
        ClientCpu = round.ClientCpu,
        ServerCpu = round.ServerCpu,
        OthersCpu = round.OthersCpu,
        LagP99Us = round.LagP99Us,
        LagMaxUs = round.LagMaxUs,
        Connections = round.Connections,
        BytesPerCall = round.BytesPerCall,
        Stalls = round.Stalls,
        Noisy = round.OthersCpu > noiseLimit,
    };

    /// <summary>Returns the percentiles of a histogram.</summary>
    public static LatencySummary Summary(LoadHistogram histogram) => new()
    {
        Samples = histogram.Total,
        MeanUs = histogram.Total == 0 ? 0 : Math.Round(histogram.SumNs / 1000.0 / histogram.Total, 3),
        P50Us = histogram.QuantileUs(0.5),
        P90Us = histogram.QuantileUs(0.9),
        P99Us = histogram.QuantileUs(0.99),
        P999Us = histogram.QuantileUs(0.999),
        MaxUs = histogram.MaxNs / 1000.0,
        Curve =
        [
            .. QuantilePoint
                .Quantiles.Where(quantile => (1 - quantile) * histogram.Total >= 10)
                .Select(quantile => new QuantilePoint(quantile, histogram.QuantileUs(quantile))),
        ],
    };

    /// <summary>Returns the number of calls in each heat-map bucket of a histogram.</summary>
    public static IReadOnlyList<HeatCell> Cells(LoadHistogram histogram) =>
    [
        .. histogram.Counts()
            .GroupBy(pair => LoadSlices.BucketOf(LoadHistogram.ValueOf(pair.Index) / 1000.0), pair => pair.Count)
            .OrderBy(group => group.Key)
            .Select(group => new HeatCell(group.Key, group.Sum())),
    ];
}
