using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Lab.Cost;

/// <summary>What measuring a scheduled rate costs, in processors, and its tail.</summary>
/// <param name="Client"><c>dotnet python node</c>.</param>
/// <param name="Transport"><c>unary pipeline</c>.</param>
/// <param name="Share">Part of the best rate.</param>
/// <param name="RatePerSecond">Calls due a second.</param>
/// <param name="After">This tree's rounds, one for each pass; at least one.</param>
/// <param name="Before">The other checkout's; empty without one.</param>
/// <param name="Generator">Processors of the generator alone, at calls that end at once; null where it was not measured.</param>
internal sealed record CostRow(
    string Client,
    string Transport,
    double Share,
    double RatePerSecond,
    IReadOnlyList<Round> After,
    IReadOnlyList<Round> Before,
    double? Generator)
{
    /// <summary>What a meter or a generator may cost, of what it drives.</summary>
    public const double Most = 0.1;

    /// <summary>The agent's process: client and generator.</summary>
    public double ClientCpu => Median.Of(After.Select(round => round.ClientCpu));

    /// <summary>The server's process; 0 where it cannot be read.</summary>
    public double ServerCpu => Median.OfKnown(After.Select(round => round.ServerCpu)) ?? 0;

    /// <summary>The stall meter; null where nobody watched.</summary>
    public double? Meter =>
        Median.OfKnown(After.Select(round => round.Stalls is { Seconds: > 0 } stalls ? stalls.MeterCpuSeconds / stalls.Seconds : (double?)null));

    /// <summary>The meter's cost over that of client and server.</summary>
    public double? MeterShare => Meter / (ClientCpu + ServerCpu);

    /// <summary>The generator's cost over that of client and server without it; null where it is not known.</summary>
    public double? GeneratorShare => Generator / Math.Max(0, ClientCpu + ServerCpu - (Generator ?? 0));

    /// <summary>Whether both cost little.</summary>
    public bool Holds => MeterShare is null or <= Most && GeneratorShare is null or <= Most;

    /// <summary>The heads of the table's columns.</summary>
    public static IReadOnlyList<string> Headers(bool before) =>
    [
        "client",
        "transport",
        "of the best rate",
        "calls/s due",
        .. before ? ["p99.9 before"] : Array.Empty<string>(),
        before ? "p99.9 after" : "p99.9",
        "client and generator",
        "server",
        "meter",
        "of client and server",
        "generator alone",
        "of client and server",
        "at most a tenth",
    ];

    /// <summary>The row of the table.</summary>
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
        Holds ? "holds" : "DOES NOT HOLD",
    ];

    /// <summary>
    /// The median of the passes' p99.9 from when calls were due, its lowest and highest; * where calls are too few for it in all, † where calls found no caller
    /// or failed and are not in it.
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
