using Larder.Report.Runs;

namespace Larder.Tuner.Bench;

/// <summary>
/// The result of one rung of one client, as medians of its rounds. <c>--json</c> prints only the first properties, up to <see cref="ServerCpu"/>. The table
/// also shows the other properties.
/// </summary>
internal sealed record BenchRow
{
    /// <summary>Gets the client: <c>dotnet</c>, <c>python</c>, <c>node</c>, or the name of a peer such as <c>stackexchange-redis</c>.</summary>
    public required string Client { get; init; }

    /// <summary>Gets the transport: <c>unary</c>, <c>pipeline</c>, or the transport of a peer.</summary>
    public required string Transport { get; init; }

    /// <summary>Gets the number of callers.</summary>
    public required int InFlight { get; init; }

    /// <summary>Gets the median number of calls per second.</summary>
    public required double RequestsPerSecond { get; init; }

    /// <summary>Gets the median of the rounds' p50, in µs. The other percentiles are also medians of the rounds.</summary>
    public required double P50Us { get; init; }

    /// <summary>Gets the p90, in µs.</summary>
    public required double P90Us { get; init; }

    /// <summary>Gets the p99, in µs.</summary>
    public required double P99Us { get; init; }

    /// <summary>Gets the p99.9, in µs.</summary>
    public required double P999Us { get; init; }

    /// <summary>Gets the slowest call of all rounds, in µs.</summary>
    public required double MaxUs { get; init; }

    /// <summary>Gets the number of calls in the histograms of all rounds.</summary>
    public required long Samples { get; init; }

    /// <summary>Gets the number of failed calls in all rounds.</summary>
    public required long Errors { get; init; }

    /// <summary>Gets the bytes allocated per call in the client, or null if its runtime does not report them.</summary>
    public required double? BytesPerCall { get; init; }

    /// <summary>Gets the CPU usage of the client, in processors.</summary>
    public required double ClientCpu { get; init; }

    /// <summary>Gets the CPU usage of the server, in processors, or null if it runs on another machine.</summary>
    public required double? ServerCpu { get; init; }

    /// <summary>
    /// Gets the CPU usage of the <c>redis-server</c> processes. It is part of <see cref="ServerCpu"/>. Null if no such process is measured together with the
    /// server.
    /// </summary>
    public double? StoreCpu { get; init; }

    /// <summary>Gets the total resident memory of the <c>redis-server</c> processes, in bytes.</summary>
    public double? StoreResidentBytes { get; init; }

    /// <summary>Gets the resident memory of the Larder server, in bytes, or null if unknown.</summary>
    public double? ServerResidentBytes { get; init; }

    /// <summary>Gets the bytes allocated per call in the Larder server, or null if unknown.</summary>
    public double? ServerBytesPerCall { get; init; }

    /// <summary>Gets the CPU time of the <c>redis-server</c> processes per call, in µs.</summary>
    public double? StoreCpuUs => StoreCpu / RequestsPerSecond * 1e6;

    /// <summary>Gets the CPU time of the gateway per call, in µs, or null if there is no gateway.</summary>
    public double? GatewayCpuUs => ServerCpu > StoreCpu ? (ServerCpu - StoreCpu) / RequestsPerSecond * 1e6 : null;

    /// <summary>Gets the number of callers and the concurrency limit.</summary>
    public required Rung Rung { get; init; }

    /// <summary>Gets the number of rounds from which the medians were computed.</summary>
    public required int Rounds { get; init; }

    /// <summary>Gets the number of rounds that were rejected because other programs used the machine.</summary>
    public required int Rejected { get; init; }

    /// <summary>Gets whether the medians include disturbed rounds, because there were too few undisturbed ones.</summary>
    public required bool Disturbed { get; init; }

    /// <summary>Gets the fraction of gets that were hits, or null if there were no gets.</summary>
    public required double? HitRatio { get; init; }

    /// <summary>Gets the p50 measured by the server, in µs, or null if unknown.</summary>
    public required double? ServerP50Us { get; init; }

    /// <summary>Gets the p99.9 measured by the server, in µs, or null if unknown.</summary>
    public required double? ServerP999Us { get; init; }

    /// <summary>Gets the number of open connections, or null if unknown.</summary>
    public required double? Connections { get; init; }

    /// <summary>Gets the number of failed calls by error code.</summary>
    public required IReadOnlyDictionary<string, long> ErrorCodes { get; init; }

    /// <summary>Gets whether each round has enough calls for a meaningful p99.9.</summary>
    public required bool EnoughForP999 { get; init; }

    /// <summary>Gets the calls per CPU second of client and server together, or null if the server's CPU usage is unknown.</summary>
    public double? RequestsPerCpuSecond => RequestsPerSecond / (ClientCpu + ServerCpu);

    /// <summary>Computes the medians of at least one round.</summary>
    public static BenchRow Of(string client, string transport, Rung rung, IReadOnlyList<Round> rounds, int rejected, bool disturbed)
    {
        (long hits, long misses) = (rounds.Sum(round => round.Hits), rounds.Sum(round => round.Misses));
        return new BenchRow
        {
            Client = client,
            Transport = transport,
            InFlight = rung.Callers,
            RequestsPerSecond = Median.Of(rounds.Select(round => round.RequestsPerSecond)),
            P50Us = Quantile(rounds, 0.5),
            P90Us = Quantile(rounds, 0.9),
            P99Us = Quantile(rounds, 0.99),
            P999Us = Quantile(rounds, 0.999),
            MaxUs = rounds.Max(round => round.Histogram.MaxNs) / 1000.0,
            Samples = rounds.Sum(round => round.Histogram.Total),
            Errors = rounds.Sum(round => round.Errors.Values.Sum()),
            BytesPerCall = Median.OfKnown(rounds.Select(round => round.BytesPerCall)),
            ClientCpu = Median.Of(rounds.Select(round => round.ClientCpu)),
            ServerCpu = Median.OfKnown(rounds.Select(round => round.ServerCpu)),
            StoreCpu = Median.OfKnown(rounds.Select(round => round.StoreCpu)),
            StoreResidentBytes = Median.OfKnown(rounds.Select(round => (double?)round.StoreResidentBytes)),
            ServerResidentBytes = Median.OfKnown(rounds.Select(round => (double?)round.ServerResidentBytes)),
            ServerBytesPerCall = Median.OfKnown(rounds.Select(round => round.ServerBytesPerSecond / round.RequestsPerSecond)),
            Rung = rung,
            Rounds = rounds.Count,
            Rejected = rejected,
            Disturbed = disturbed,
            HitRatio = hits + misses == 0 ? null : (double)hits / (hits + misses),
            ServerP50Us = Median.OfKnown(rounds.Select(round => round.Server?.P50Us)),
            ServerP999Us = Median.OfKnown(rounds.Select(round => round.Server?.P999Us)),
            Connections = Median.OfKnown(rounds.Select(round => (double?)round.Connections)),
            ErrorCodes = rounds
                .SelectMany(round => round.Errors)
                .GroupBy(pair => pair.Key)
                .ToDictionary(group => group.Key, group => group.Sum(pair => pair.Value)),
            EnoughForP999 = rounds.All(round => round.Histogram.Total >= LatencySummary.SamplesForP999),
        };
    }

    private static double Quantile(IEnumerable<Round> rounds, double quantile) => Median.Of(rounds.Select(round => round.Histogram.QuantileUs(quantile)));
}
