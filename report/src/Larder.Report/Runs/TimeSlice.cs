using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>A slice of the run's time with the latencies of the calls that ended in this slice. It is a column of the heat map.</summary>
internal sealed record TimeSlice
{
    /// <summary>
    /// The number of buckets for each doubling of the latency. The agents use the same number. Bucket b begins at 2^(b / 4) µs. Latencies below 1 µs are in
    /// bucket 0.
    /// </summary>
    public const int BucketsPerDoubling = 4;

    /// <summary>Gets the start of the slice, in s since the start of the run.</summary>
    public required double AtSeconds { get; init; }

    /// <summary>Gets the length of the slice, in s.</summary>
    public required double Seconds { get; init; }

    /// <summary>Gets the phase of the run.</summary>
    public required TunePhase Phase { get; init; }

    /// <summary>Gets the step as text, such as <c>25 callers</c> or <c>70 %</c>.</summary>
    public required string Step { get; init; }

    /// <summary>Gets the number of calls in each bucket, in ascending order. Empty buckets are omitted.</summary>
    public required IReadOnlyList<HeatCell> Cells { get; init; }

    /// <summary>Merges two lists of cells. The counts of cells with the same bucket are added.</summary>
    public static IReadOnlyList<HeatCell> Together(IEnumerable<HeatCell> first, IEnumerable<HeatCell> second) =>
        [
            .. first
                .Concat(second)
                .GroupBy(cell => cell.Bucket)
                .OrderBy(group => group.Key)
                .Select(group => new HeatCell(group.Key, group.Sum(cell => cell.Count))),
        ];

    /// <summary>Returns the lowest latency of a bucket, in µs.</summary>
    public static double LowestUs(int bucket) => Math.Pow(2, (double)bucket / BucketsPerDoubling);
}

/// <summary>The number of calls of one slice in one bucket.</summary>
internal readonly record struct HeatCell([property: JsonPropertyName("b")] int Bucket, [property: JsonPropertyName("n")] long Count);
