using System.Text.Json.Serialization;
using Larder.Agent;

namespace Larder.Tuner.Tune;

/// <summary>A piece of the run's time and the latencies of the calls that ended in it: a column of the heat map.</summary>
internal sealed record TimeSlice
{
    /// <summary>Buckets per doubling of the latency, the same as the agents'.</summary>
    public const int BucketsPerDoubling = LoadSlices.BucketsPerDoubling;

    /// <summary>When it began, in s since the run began.</summary>
    public required double AtSeconds { get; init; }

    /// <summary>Its length, in s.</summary>
    public required double Seconds { get; init; }

    /// <summary>Which phase.</summary>
    public required TunePhase Phase { get; init; }

    /// <summary>Which step, in words: <c>25 callers</c>, <c>70 %</c>.</summary>
    public required string Step { get; init; }

    /// <summary>Calls by bucket, ascending; only counts above 0.</summary>
    public required IReadOnlyList<HeatCell> Cells { get; init; }

    /// <summary>Of the calls that ended in it.</summary>
    public static IReadOnlyList<HeatCell> CellsOf(LoadHistogram histogram) =>
    [
        .. histogram.Counts()
            .GroupBy(pair => BucketOf(LoadHistogram.ValueOf(pair.Index) / 1000.0), pair => pair.Count)
            .OrderBy(group => group.Key)
            .Select(group => new HeatCell(group.Key, group.Sum())),
    ];

    /// <summary>Calls of both.</summary>
    public static IReadOnlyList<HeatCell> Together(IEnumerable<HeatCell> first, IEnumerable<HeatCell> second) =>
        [
            .. first
                .Concat(second)
                .GroupBy(cell => cell.Bucket)
                .OrderBy(group => group.Key)
                .Select(group => new HeatCell(group.Key, group.Sum(cell => cell.Count))),
        ];

    /// <summary>The bucket of a latency: bucket b begins at 2^(b / 4) µs. Below 1 µs everything is in bucket 0.</summary>
    public static int BucketOf(double us) => LoadSlices.BucketOf(us);

    /// <summary>The lowest latency of a bucket, in µs.</summary>
    public static double LowestUs(int bucket) => Math.Pow(2, (double)bucket / BucketsPerDoubling);
}

/// <summary>Calls of one slice in one bucket.</summary>
internal readonly record struct HeatCell([property: JsonPropertyName("b")] int Bucket, [property: JsonPropertyName("n")] long Count);
