using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Comparisons;

/// <summary>
/// A client with a transport, and its baseline, which is the library that users would choose instead. Both are measured alternately. Each pair is one part of
/// the full comparison.
/// </summary>
internal sealed record BaselinePair(string Client, string Transport, string Peer)
{
    /// <summary>
    /// Gets all pairs. The pipeline is compared with a Redis client on <c>redis-server</c>, and the unary transport is compared with a plain gRPC client on the
    /// same server.
    /// </summary>
    public static IReadOnlyList<BaselinePair> All { get; } =
    [
        new("dotnet", "pipeline", "redis"),
        new("dotnet", "unary", "grpc-dotnet"),
        new("python", "pipeline", "redis-py"),
        new("python", "unary", "grpcio"),
        new("node", "pipeline", "ioredis"),
        new("node", "unary", "grpc-js"),
    ];

    /// <summary>Gets the targets of each pair. They are the targets of the published tuning runs, for low latency and for throughput.</summary>
    public static IReadOnlyList<TuneTarget> Targets { get; } = [new(0.999, 5_000), new(0.999, 20_000)];

    /// <summary>Gets the name of the pair for <c>--only</c>.</summary>
    public string Name => $"{Client}/{Transport}";

    /// <summary>Returns the pairs of a <c>--only</c> option, whose names are separated by commas. Returns all pairs if the option is null.</summary>
    /// <exception cref="FormatException">A pair is unknown.</exception>
    public static IReadOnlyList<BaselinePair> Parse(string? only) => only is null
        ? All
        :
        [
            .. only.Split(',', StringSplitOptions.TrimEntries)
                .Select(name =>
                    All.FirstOrDefault(pair => pair.Name == name)
                    ?? throw new FormatException(
                        $"--only contains the unknown slice \"{name}\"; use one or more of these, comma-separated: "
                            + string.Join(", ", All.Select(pair => pair.Name)))
                ),
        ];

    /// <summary>Returns the name of a target's file without its extension.</summary>
    public string FileOf(TuneTarget target) =>
        $"{Client}-{Transport}-{target.Name().Replace(".", "", StringComparison.Ordinal)}-{DurationText.Of(TimeSpan.FromMicroseconds(target.LimitUs))}";
}
