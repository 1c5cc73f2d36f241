using Larder.Report.Runs;

namespace Larder.Tuner.Tune;

/// <summary>
/// A piece of the full comparison that is measured in one go: a client over a transport, alternating with the library that its users would take otherwise.
/// </summary>
internal sealed record TuneSlice(string Client, string Transport, string Peer)
{
    /// <summary>All of them: pipelined beside a Redis client on <c>redis-server</c>, unary beside a plain gRPC client on the same server.</summary>
    public static IReadOnlyList<TuneSlice> All { get; } =
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
    /// <exception cref="FormatException">There is no such slice.</exception>
    public static IReadOnlyList<TuneSlice> Parse(string? only) => only is null
        ? All
        :
        [
            .. only.Split(',', StringSplitOptions.TrimEntries)
                .Select(name =>
                    All.FirstOrDefault(slice => slice.Name == name)
                    ?? throw new FormatException($"--only names slices, with commas: {string.Join(", ", All.Select(slice => slice.Name))}; not \"{name}\"")
                ),
        ];

    /// <summary>The name of a target's file, without its extension.</summary>
    public string FileOf(TuneTarget target) =>
        $"{Client}-{Transport}-{target.Name().Replace(".", "", StringComparison.Ordinal)}-{DurationText.Of(TimeSpan.FromMicroseconds(target.LimitUs))}";
}
