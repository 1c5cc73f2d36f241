using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.Bottlenecks;

/// <summary>Utilisation, saturation and errors of a step, medians of its rounds: what a <see cref="StepVerdict"/> rests on.</summary>
internal sealed record ResourceUse
{
    /// <summary>HTTP/2 streams that a server lets a connection have, the same in ours as in most: 100.</summary>
    public const int StreamsPerConnection = 100;

    /// <summary>Calls in flight.</summary>
    public required int InFlight { get; init; }

    /// <summary>Whether the client runs on one thread (Python, Node).</summary>
    public required bool OneThread { get; init; }

    /// <summary>Whether each call takes a stream of its own (unary), rather than all one.</summary>
    public required bool OneStreamPerCall { get; init; }

    /// <summary>The machine's processors.</summary>
    public required int Processors { get; init; }

    /// <summary>Calls a second.</summary>
    public required double RequestsPerSecond { get; init; }

    /// <summary>Latency, 50 %, µs.</summary>
    public required double P50Us { get; init; }

    /// <summary>Latency, 99 %, µs.</summary>
    public required double P99Us { get; init; }

    /// <summary>Processors that the client used.</summary>
    public required double ClientCpu { get; init; }

    /// <summary>Processors that the server used; null when it is elsewhere.</summary>
    public double? ServerCpu { get; init; }

    /// <summary>Processors that the tuner itself used, its proxy above all.</summary>
    public double OwnCpu { get; init; }

    /// <summary>How late the client's scheduler ran what was ready, 99 %, µs.</summary>
    public double LagP99Us { get; init; }

    /// <summary>The server's own time for a call, 50 %, µs; null when it does not tell.</summary>
    public double? ServerP50Us { get; init; }

    /// <summary>Open connections; null when nobody tells.</summary>
    public long? Connections { get; init; }

    /// <summary>Processors that other programs and the host took; null where it cannot be read.</summary>
    public double? OthersCpu { get; init; }

    /// <summary>Whether that was more than the noise limit allows.</summary>
    public bool Noisy { get; init; }

    /// <summary>Part of the calls that failed.</summary>
    public double ErrorShare { get; init; }

    /// <summary>The code of most of them.</summary>
    public string? CommonestError { get; init; }

    /// <summary>The medians of at least one round.</summary>
    public static ResourceUse Of(ClientVariant tested, int inFlight, IReadOnlyList<Round> rounds, double noiseLimit) => new()
    {
        InFlight = inFlight,
        OneThread = tested.OneThread,
        OneStreamPerCall = tested.OneStreamPerCall,
        Processors = Environment.ProcessorCount,
        RequestsPerSecond = Median.Of(rounds.Select(round => round.RequestsPerSecond)),
        P50Us = Median.Of(rounds.Select(round => round.Histogram.QuantileUs(0.5))),
        P99Us = Median.Of(rounds.Select(round => round.Histogram.QuantileUs(0.99))),
        ClientCpu = Median.Of(rounds.Select(round => round.ClientCpu)),
        ServerCpu = Median.OfKnown(rounds.Select(round => round.ServerCpu)),
        OwnCpu = Median.OfKnown(rounds.Select(round => round.OwnCpu)) ?? 0,
        LagP99Us = Median.Of(rounds.Select(round => round.LagP99Us)),
        ServerP50Us = Median.OfKnown(rounds.Select(round => round.Server?.P50Us)),
        Connections = (long?)Median.OfKnown(rounds.Select(round => (double?)round.Connections)),
        OthersCpu = Median.OfKnown(rounds.Select(round => round.OthersCpu)),
        Noisy = Median.OfKnown(rounds.Select(round => round.OthersCpu)) > noiseLimit,
        ErrorShare = (double)rounds.Sum(round => round.Errors.Values.Sum()) / Math.Max(1, rounds.Sum(round => round.Histogram.Total)),
        CommonestError = rounds.SelectMany(round => round.Errors).GroupBy(pair => pair.Key).MaxBy(group => group.Sum(pair => pair.Value))?.Key,
    };
}
