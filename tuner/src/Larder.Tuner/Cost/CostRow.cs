using System.Globalization;
using Larder.Tuner.Report.Drawing;

namespace Larder.Tuner.Cost;

/// <summary>What measuring a scheduled rate costs, in processors.</summary>
/// <param name="RatePerSecond">Calls due a second.</param>
/// <param name="Client">The agent's process: client and generator.</param>
/// <param name="Server">The server's process.</param>
/// <param name="Meter">The stall meter.</param>
/// <param name="Generator">The generator alone, at calls that end at once; null where it cannot be had alone.</param>
internal sealed record CostRow(double RatePerSecond, double Client, double Server, double Meter, double? Generator)
{
    /// <summary>What a meter or a generator may cost, of what it drives.</summary>
    public const double Most = 0.1;

    /// <summary>The meter's cost over that of client and server.</summary>
    public double MeterShare => Meter / (Client + Server);

    /// <summary>The generator's cost over that of client and server without it; null where it is not known.</summary>
    public double? GeneratorShare => Generator / Math.Max(0, Client + Server - (Generator ?? 0));

    /// <summary>Whether both cost little.</summary>
    public bool Holds => MeterShare <= Most && GeneratorShare is null or <= Most;

    /// <summary>The row of a Markdown table.</summary>
    public override string ToString() =>
        $"| {Show.Count(RatePerSecond)} | {Cores(Client)} | {Cores(Server)} | {Cores(Meter)} | {Show.Percent(MeterShare)} | {Cores(Generator)} | "
        + $"{Show.Percent(GeneratorShare)} | {(Holds ? "holds" : "DOES NOT HOLD")} |";

    private static string Cores(double? processors) => processors?.ToString("F4", CultureInfo.InvariantCulture) ?? Show.Unknown;
}
