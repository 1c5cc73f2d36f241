using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Tune.Rounds;

/// <summary>
/// Combines rounds of the same load. Counts and histograms are added, because a median would hide a rare stall. CPU usage, allocations and the p99 of the
/// scheduling lag are medians.
/// </summary>
internal static class PooledRound
{
    /// <summary>Combines at least one round.</summary>
    public static Round Of(IReadOnlyList<Round> rounds)
    {
        double seconds = rounds.Sum(round => round.MeasuredSeconds);
        return rounds[0] with
        {
            RequestsPerSecond = rounds.Sum(round => round.RequestsPerSecond * round.MeasuredSeconds) / seconds,
            Histogram = Sum(rounds.Select(round => round.Histogram)),
            ServiceHistogram = Sum(rounds.Select(round => round.ServiceHistogram).OfType<LoadHistogram>()),
            Wire = rounds.All(round => round.Wire is not null) ? Sum(rounds.Select(round => round.Wire!)) : null,
            Caps = [.. rounds.SelectMany(round => round.Caps)],
            SaidUnreachable = rounds.Any(round => round.SaidUnreachable),
            Hits = rounds.Sum(round => round.Hits),
            Misses = rounds.Sum(round => round.Misses),
            Errors = rounds
                .SelectMany(round => round.Errors)
                .GroupBy(pair => pair.Key)
                .ToDictionary(group => group.Key, group => group.Sum(pair => pair.Value)),
            Unstarted = rounds.Sum(round => round.Unstarted),
            MeasuredSeconds = seconds,
            ClientCpu = Median.Of(rounds.Select(round => round.ClientCpu)),
            ServerCpu = Median.OfKnown(rounds.Select(round => round.ServerCpu)),
            OwnCpu = Median.OfKnown(rounds.Select(round => round.OwnCpu)),
            OthersCpu = Median.OfKnown(rounds.Select(round => round.OthersCpu)),
            BytesPerCall = Median.OfKnown(rounds.Select(round => round.BytesPerCall)),
            LagP99Us = Median.Of(rounds.Select(round => round.LagP99Us)),
            LagMaxUs = rounds.Max(round => round.LagMaxUs),
            Server = rounds.MaxBy(round => round.Server?.P999Us ?? 0)!.Server,
        };
    }

    private static LoadHistogram Sum(IEnumerable<LoadHistogram> histograms)
    {
        var sum = new LoadHistogram();
        foreach (LoadHistogram histogram in histograms)
        {
            sum.Add(histogram);
        }

        return sum;
    }
}
