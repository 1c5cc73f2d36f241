using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>A piece of the run's time and the latencies of the calls that ended in it: a column of the heat map.</summary>
internal sealed record TimeSlice
{
    /// <summary>Buckets per doubling of the latency, the same as the agents'. Bucket b begins at 2^(b / 4) µs; what is below 1 µs is in bucket 0.</summary>
    public const int BucketsPerDoubling = 4;

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

    /// <summary>Calls of both.</summary>
    public static IReadOnlyList<HeatCell> Together(IEnumerable<HeatCell> first, IEnumerable<HeatCell> second) =>
        [
            .. first
                .Concat(second)
                .GroupBy(cell => cell.Bucket)
                .OrderBy(group => group.Key)
                .Select(group => new HeatCell(group.Key, group.Sum(cell => cell.Count))),
        ];

    /// <summary>The lowest latency of a bucket, in µs.</summary>
    public static double LowestUs(int bucket) => Math.Pow(2, (double)bucket / BucketsPerDoubling);
}

/// <summary>Calls of one slice in one bucket.</summary>
internal readonly record struct HeatCell([property: JsonPropertyName("b")] int Bucket, [property: JsonPropertyName("n")] long Count);
