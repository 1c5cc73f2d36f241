using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Comparisons;

/// <summary>
/// A client with a transport and its baseline, the library that its users would choose otherwise. Both are measured in turn, as one slice of the full
/// comparison.
/// </summary>
internal sealed record BaselinePair(string Client, string Transport, string Peer)
{
    /// <summary>All pairs: the pipeline with a Redis client on <c>redis-server</c>, unary with a plain gRPC client on the same server.</summary>
    public static IReadOnlyList<BaselinePair> All { get; } =
    [
        new("dotnet", "pipeline", "redis"),
        new("dotnet", "unary", "httpclient"),
        new("python", "pipeline", "redis-py"),
        new("python", "unary", "grpcio"),
        new("node", "pipeline", "ioredis"),
        new("node", "unary", "grpc-js"),
    ];

    /// <summary>The targets of each pair: those of the published tuning runs for low latency and for throughput.</summary>
    public static IReadOnlyList<TuneTarget> Targets { get; } = [new(0.999, 5_000), new(0.999, 20_000)];

    /// <summary>The name for <c>--only</c>.</summary>
    public string Name => $"{Client}/{Transport}";

    /// <summary>Returns the pairs that <c>--only</c> names, separated by commas, or all if it is null.</summary>
    /// <exception cref="FormatException">A pair is unknown.</exception>
    public static IReadOnlyList<BaselinePair> Parse(string? only) => only is null
        ? All
        :
        [
            .. only.Split(',', StringSplitOptions.TrimEntries)
                .Select(name =>
                    All.FirstOrDefault(pair => pair.Name == name)
                    ?? throw new FormatException(
                        $"--only must list slices, comma-separated: {string.Join(", ", All.Select(pair => pair.Name))}; but contains \"{name}\"")
                ),
        ];

    /// <summary>Returns the name of a target's file without its extension.</summary>
    public string FileOf(TuneTarget target) =>
        $"{Client}-{Transport}-{target.Name().Replace(".", "", StringComparison.Ordinal)}-{DurationText.Of(TimeSpan.FromMicroseconds(target.LimitUs))}";
}
