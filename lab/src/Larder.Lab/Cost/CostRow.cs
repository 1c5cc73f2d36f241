using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Lab.Cost;

/// <summary>The measurement overhead and the tail latency at a scheduled rate. CPU usage is a number of processors: 0.5 means half of one processor.</summary>
/// <param name="Client"><c>dotnet</c>, <c>python</c> or <c>node</c>.</param>
/// <param name="Transport"><c>unary</c> or <c>pipeline</c>.</param>
/// <param name="Share">The share of the best rate.</param>
/// <param name="RatePerSecond">The scheduled calls per second.</param>
/// <param name="After">The rounds of this checkout, one for each pass. There is at least one.</param>
/// <param name="Before">The rounds of the other checkout; empty if there is none.</param>
/// <param name="Generator">The CPU usage of the generator alone, with calls that end immediately; null if not measured.</param>
internal sealed record CostRow(
    string Client,
    string Transport,
    double Share,
    double RatePerSecond,
    IReadOnlyList<Round> After,
    IReadOnlyList<Round> Before,
    double? Generator)
{
    /// <summary>The maximum CPU usage of the stall meter or the generator, as a share of the CPU usage of client and server.</summary>
    public const double Most = 0.1;

    /// <summary>Gets the CPU usage of the agent's process, which contains client and generator.</summary>
    public double ClientCpu => Median.Of(After.Select(round => round.ClientCpu));

    /// <summary>Gets the CPU usage of the server's process. 0 if it cannot be read.</summary>
    public double ServerCpu => Median.OfKnown(After.Select(round => round.ServerCpu)) ?? 0;

    /// <summary>Gets the CPU usage of the stall meter; null if it did not run.</summary>
    public double? Meter =>
        Median.OfKnown(After.Select(round => round.Stalls is { Seconds: > 0 } stalls ? stalls.MeterCpuSeconds / stalls.Seconds : (double?)null));

    /// <summary>Gets the ratio of the meter's CPU usage to that of client and server.</summary>
    public double? MeterShare => Meter / (ClientCpu + ServerCpu);

    /// <summary>Gets the ratio of the generator's CPU usage to that of client and server without the generator; null if unknown.</summary>
    public double? GeneratorShare => Generator / Math.Max(0, ClientCpu + ServerCpu - (Generator ?? 0));

    /// <summary>Gets whether both overheads are within the maximum.</summary>
    public bool Holds => MeterShare is null or <= Most && GeneratorShare is null or <= Most;

    public static IReadOnlyList<string> Headers(bool before) =>
    [
        "client",
        "transport",
        "share of best rate",
        "calls/s scheduled",
        .. before ? ["p99.9 before"] : Array.Empty<string>(),
        before ? "p99.9 after" : "p99.9",
        "client and generator CPU",
        "server CPU",
        "meter CPU",
        "meter CPU / (client CPU + server CPU)",
        "generator CPU",
        "generator CPU / (client CPU + server CPU)",
        "at most 10 %",
    ];

    public IReadOnlyList<string> Cells(bool before) =>
    [
        Client,
        Transport,
        Show.Percent(Share, "0"),
        Show.Count(RatePerSecond),
        .. before ? [Tail(Before)] : Array.Empty<string>(),
        Tail(After),
        Show.Processors(ClientCpu),
        Show.Processors(ServerCpu),
        Cores(Meter),
        Show.Percent(MeterShare),
        Cores(Generator),
        Show.Percent(GeneratorShare),
        Holds ? "pass" : "FAIL",
    ];

    /// <summary>
    /// Formats the median, lowest and highest p99.9 of the passes, measured from the due times of the calls. * means that there were too few calls in total for
    /// a p99.9. † means that some calls failed or found no free caller. These calls are not included.
    /// </summary>
    private static string Tail(IReadOnlyList<Round> rounds)
    {
        if (rounds.Count == 0)
        {
            return Show.Unknown;
        }

        double[] tails = [.. rounds.Select(round => round.Histogram.QuantileUs(0.999)).Order()];
        string few = rounds.Sum(round => round.Histogram.Total) < LatencySummary.SamplesForP999 ? " *" : "";
        string lost = rounds.Any(round => round.Unstarted > 0 || round.Errors.Count > 0) ? " †" : "";
        return $"{Show.Us(Median.Of(tails))} ({Show.Us(tails[0])}–{Show.Us(tails[^1])}){few}{lost}";
    }

    private static string Cores(double? processors) => processors?.ToString("F4", System.Globalization.CultureInfo.InvariantCulture) ?? Show.Unknown;
}
