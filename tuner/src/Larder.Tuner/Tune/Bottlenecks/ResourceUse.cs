using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.Bottlenecks;

/// <summary>The utilisation, saturation and errors of a step, as medians of its rounds. A <see cref="StepVerdict"/> is determined from them.</summary>
internal sealed record ResourceUse
{
    /// <summary>The maximum number of concurrent HTTP/2 streams per connection. It is 100 in Larder and in most servers.</summary>
    public const int StreamsPerConnection = 100;

    public required int InFlight { get; init; }

    /// <summary>Gets whether the client runs on one thread (Python, Node).</summary>
    public required bool OneThread { get; init; }

    /// <summary>Gets whether each call uses its own stream (unary) instead of a shared one.</summary>
    public required bool OneStreamPerCall { get; init; }

    /// <summary>Gets the number of processors of the machine.</summary>
    public required int Processors { get; init; }

    public required double RequestsPerSecond { get; init; }

    /// <summary>Gets the p50 latency in µs.</summary>
    public required double P50Us { get; init; }

    /// <summary>Gets the p99 latency in µs.</summary>
    public required double P99Us { get; init; }

    /// <summary>Gets the CPU usage of the client, in processors.</summary>
    public required double ClientCpu { get; init; }

    /// <summary>Gets the CPU usage of the server, in processors, or null if it runs on another machine.</summary>
    public double? ServerCpu { get; init; }

    /// <summary>Gets the CPU usage of the tuner itself, in processors. Most of the usage is caused by the delay proxy.</summary>
    public double OwnCpu { get; init; }

    /// <summary>Gets the p99 scheduling lag in the client, in µs.</summary>
    public double LagP99Us { get; init; }

    /// <summary>Gets the p50 duration of a call as measured by the server, in µs, or null if unknown.</summary>
    public double? ServerP50Us { get; init; }

    /// <summary>Gets the number of open connections, or null if unknown.</summary>
    public long? Connections { get; init; }

    /// <summary>Gets the CPU usage of other programs and the host, in processors, or null if unknown.</summary>
    public double? OthersCpu { get; init; }

    /// <summary>Gets whether <see cref="OthersCpu"/> exceeds the noise limit.</summary>
    public bool Noisy { get; init; }

    /// <summary>Gets the fraction of calls that failed.</summary>
    public double ErrorShare { get; init; }

    /// <summary>Gets the most frequent error code.</summary>
    public string? CommonestError { get; init; }

    /// <summary>Computes the medians of at least one round.</summary>
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
