using Larder.Report.Runs;

namespace Larder.Tuner.Bench;

/// <summary>A rung of one client: medians of its rounds. The fields that <c>--json</c> prints come first; the table shows the others too.</summary>
internal sealed record BenchRow
{
    /// <summary><c>dotnet python node</c>, or a peer: <c>stackexchange-redis httpclient</c>.</summary>
    public required string Client { get; init; }

    /// <summary><c>unary pipeline</c>, or a peer's own.</summary>
    public required string Transport { get; init; }

    /// <summary>Callers.</summary>
    public required int InFlight { get; init; }

    /// <summary>Calls a second, median.</summary>
    public required double RequestsPerSecond { get; init; }

    /// <summary>Median of the rounds' medians, in µs; the others alike.</summary>
    public required double P50Us { get; init; }

    /// <summary>90 %.</summary>
    public required double P90Us { get; init; }

    /// <summary>99 %.</summary>
    public required double P99Us { get; init; }

    /// <summary>99.9 %.</summary>
    public required double P999Us { get; init; }

    /// <summary>The slowest call of all rounds, in µs.</summary>
    public required double MaxUs { get; init; }

    /// <summary>Calls in the histograms of all rounds.</summary>
    public required long Samples { get; init; }

    /// <summary>Failed calls of all rounds.</summary>
    public required long Errors { get; init; }

    /// <summary>Bytes allocated per call in the client; null where its runtime does not tell.</summary>
    public required double? BytesPerCall { get; init; }

    /// <summary>Processors that the client used.</summary>
    public required double ClientCpu { get; init; }

    /// <summary>Processors that the server used; null when it is elsewhere.</summary>
    public required double? ServerCpu { get; init; }

    /// <summary>Of those, what <c>redis-server</c>'s processes used; null where none is measured with the server.</summary>
    public double? StoreCpu { get; init; }

    /// <summary>Resident memory of those processes together, in bytes.</summary>
    public double? StoreResidentBytes { get; init; }

    /// <summary>Resident memory of our server, in bytes; null when it does not tell.</summary>
    public double? ServerResidentBytes { get; init; }

    /// <summary>Bytes allocated per call in our server; null when it does not tell.</summary>
    public double? ServerBytesPerCall { get; init; }

    /// <summary>Processor time of <c>redis-server</c>'s processes for a call, in µs.</summary>
    public double? StoreCpuUs => StoreCpu / RequestsPerSecond * 1e6;

    /// <summary>Processor time of the front before them for a call, in µs; null where there is none.</summary>
    public double? FrontCpuUs => ServerCpu > StoreCpu ? (ServerCpu - StoreCpu) / RequestsPerSecond * 1e6 : null;

    /// <summary>Callers and cap.</summary>
    public required Rung Rung { get; init; }

    /// <summary>Rounds that count.</summary>
    public required int Rounds { get; init; }

    /// <summary>Rounds rejected because other programs used the machine.</summary>
    public required int Rejected { get; init; }

    /// <summary>Whether even the rounds that count were disturbed: there was no quiet one.</summary>
    public required bool Disturbed { get; init; }

    /// <summary>Part of the gets that found a value; null without gets.</summary>
    public required double? HitRatio { get; init; }

    /// <summary>The server's own p50, in µs; null when it does not tell.</summary>
    public required double? ServerP50Us { get; init; }

    /// <summary>The server's own p99.9, in µs.</summary>
    public required double? ServerP999Us { get; init; }

    /// <summary>Open connections; null when nobody tells.</summary>
    public required double? Connections { get; init; }

    /// <summary>Failed calls by code.</summary>
    public required IReadOnlyDictionary<string, long> ErrorCodes { get; init; }

    /// <summary>Whether each round has enough calls for a p99.9.</summary>
    public required bool EnoughForP999 { get; init; }

    /// <summary>Calls per CPU-second of client and server together; null when the server's are unknown.</summary>
    public double? RequestsPerCpuSecond => RequestsPerSecond / (ClientCpu + ServerCpu);

    /// <summary>The medians of at least one round.</summary>
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
