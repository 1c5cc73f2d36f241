using System.Globalization;
using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Processes;
using Larder.Tuner.Search;
using Larder.Tuner.Tune;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Lab.Known;

/// <summary>
/// Runs searches and loads with a real client against a server with a known service time and parallelism. Compares the measured results with computed results.
/// </summary>
internal sealed class AnalyticCheck(string client, double seconds, Action<string> say)
{
    private const int Parallelism = 10;
    private const double Service = 0.010;

    /// <summary>
    /// The period of the stalls, in s. In a closed loop, a stall delays only one call of each caller. The share of delayed calls is therefore service time /
    /// period. The period is so long that this share is below 1 in 1,000, and p99.9 does not show the stalls.
    /// </summary>
    private const double StallEvery = 15;
    private const double StallFor = 0.75;

    /// <summary>The maximum number of callers. More callers would give the search no new information.</summary>
    private const int Most = 89;

    private readonly TuneOptions _options = new()
    {
        Client = client,
        Targets = [new(0.999, 25_000)],
        Transport = "unary",
        NoiseLimit = double.PositiveInfinity,
    };

    /// <summary>Checks the knee without a target, and with a target between the latencies of two measured numbers of callers.</summary>
    public async Task<IReadOnlyList<AnalyticLine>> KneesAsync()
    {
        await using Backend server = await AnalyticProcess.StartAsync(Parallelism, Service).ConfigureAwait(false);
        await using Contender contender = await Contender.OfClientAsync(client, "unary", server).ConfigureAwait(false);
        var tested = new ClientUnderTest(new ClientVariant(client, "unary"), contender, _options);
        await tested.RunAsync(new OfferedLoad(Parallelism, Parallelism, 2), _ => { }).ConfigureAwait(false);
        var search = new KneeSearch(targetUs: 60_000, passes: 3, Most);
        while (search.Next is { } callers)
        {
            Round round = await tested.RunAsync(new OfferedLoad(callers, callers, 1), _ => { }).ConfigureAwait(false);
            say(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{callers} in flight: {round.RequestsPerSecond:N0}/s, p99.9 {round.Histogram.QuantileUs(0.999) / 1000:F2} ms"));
            search.Add(round.RequestsPerSecond, round.Histogram.QuantileUs(0.999));
        }

        return [KneeLine(search, null), KneeLine(search, 25_000)];
    }

    private static AnalyticLine KneeLine(KneeSearch search, double? targetUs)
    {
        var schedule = new AnalyticSchedule(Parallelism, Service);
        var computed = search
            .Points.Select(point => (point.InFlight, schedule.ClosedLoopRate(point.InFlight), schedule.ClosedLoopLatency(point.InFlight) * 1e6))
            .ToList();
        (int right, int? found) = (Knee.Of(computed, targetUs)!.Value, Knee.Of(search.Points, targetUs));
        string what = targetUs is null
            ? "knee, any latency"
            : string.Create(CultureInfo.InvariantCulture, $"knee with p99.9 < {targetUs / 1000:N0} ms");
        return new(
            what,
            computed[right].InFlight,
            found is { } index ? search.Points[index].InFlight : double.NaN,
            "in flight",
            found is { } rung && Math.Abs(rung - right) <= 1,
            "within one rung");
    }

    /// <summary>Checks that the open loop shows stalls, and that the closed loop does not show them.</summary>
    public async Task<IReadOnlyList<AnalyticLine>> StallsAsync()
    {
        await using Backend server = await AnalyticProcess.StartAsync(Parallelism, Service, StallEvery, StallFor).ConfigureAwait(false);
        await using Contender contender = await Contender.OfClientAsync(client, "unary", server).ConfigureAwait(false);
        var tested = new ClientUnderTest(new ClientVariant(client, "unary"), contender, _options);
        await tested.RunAsync(new OfferedLoad(Parallelism, Parallelism, 2), _ => { }).ConfigureAwait(false);
        var schedule = new AnalyticSchedule(Parallelism, Service, StallEvery, StallFor);
        var lines = new List<AnalyticLine>();
        foreach (int percent in new[] { 50, 70, 85 })
        {
            double share = percent / 100.0;
            Round round = await tested.RunAsync(new OfferedLoad(1000, 200, seconds, RatePerSecond: share * schedule.Capacity, Uniform: true), _ => { })
                .ConfigureAwait(false);
            say(string.Create(
                CultureInfo.InvariantCulture,
                $"open loop at {percent} % of the capacity: {round.RequestsPerSecond:N0} calls/s, {round.Histogram.Total:N0} calls"));
            lines.Add(OpenLine(percent, 0.999, schedule, round.Histogram));
            lines.Add(OpenLine(percent, 0.99, schedule, round.Histogram));
        }

        Round closed = await tested.RunAsync(new OfferedLoad(Parallelism / 2, 200, seconds), _ => { }).ConfigureAwait(false);
        double hidden = closed.Histogram.QuantileUs(0.999) / 1000;
        lines.Add(
            new(
                $"closed loop, {Parallelism / 2} callers, p99.9",
                Service * 1000,
                hidden,
                "ms",
                hidden < 2 * Service * 1000,
                "in a closed loop, p99.9 does not show the stalls"));
        return lines;
    }

    private static AnalyticLine OpenLine(int percent, double quantile, AnalyticSchedule schedule, LoadHistogram histogram)
    {
        (double computed, double found) = (schedule.OpenLoopLatency(percent / 100.0, quantile) * 1000, histogram.QuantileUs(quantile) / 1000);
        return new(
            string.Create(CultureInfo.InvariantCulture, $"open loop at {percent} %, p{quantile * 100:0.#}, with stalls"),
            computed,
            found,
            "ms",
            Math.Abs(found - computed) <= 0.1 * computed,
            "within 10 %");
    }
}
