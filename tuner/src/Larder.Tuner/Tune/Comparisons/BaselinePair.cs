using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Comparisons;

/// <summary>
/// A client over a transport and its baseline, the library that its users would take otherwise: measured in turn, in one go of the full comparison.
/// </summary>
internal sealed record BaselinePair(string Client, string Transport, string Peer)
{
    /// <summary>All of them: pipelined beside a Redis client on <c>redis-server</c>, unary beside a plain gRPC client on the same server.</summary>
    public static IReadOnlyList<BaselinePair> All { get; } =
    [
        new("dotnet", "pipeline", "redis"),
        new("dotnet", "unary", "httpclient"),
        new("python", "pipeline", "redis-py"),
        new("python", "unary", "grpcio"),
        new("node", "pipeline", "ioredis"),
        new("node", "unary", "grpc-js"),
    ];

    /// <summary>The targets of each: what low latency and throughput mean in the published tuning runs.</summary>
    public static IReadOnlyList<TuneTarget> Targets { get; } = [new(0.999, 5_000), new(0.999, 20_000)];

    /// <summary>What <c>--only</c> calls it.</summary>
    public string Name => $"{Client}/{Transport}";

    /// <summary>Those that <c>--only</c> names, with commas; all without it.</summary>
    /// <exception cref="FormatException">There is no such pair.</exception>
    public static IReadOnlyList<BaselinePair> Parse(string? only) => only is null
        ? All
        :
        [
            .. only.Split(',', StringSplitOptions.TrimEntries)
                .Select(name =>
                    All.FirstOrDefault(pair => pair.Name == name)
                    ?? throw new FormatException($"--only names slices, with commas: {string.Join(", ", All.Select(pair => pair.Name))}; not \"{name}\"")
                ),
        ];

    /// <summary>The name of a target's file, without its extension.</summary>
    public string FileOf(TuneTarget target) =>
        $"{Client}-{Transport}-{target.Name().Replace(".", "", StringComparison.Ordinal)}-{DurationText.Of(TimeSpan.FromMicroseconds(target.LimitUs))}";
}
