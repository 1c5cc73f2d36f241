using System.Text.Json.Nodes;
using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Bench;

internal sealed record Round
{
    public required double RequestsPerSecond { get; init; }

    /// <summary>Gets the latencies of all calls, including failed calls.</summary>
    public required LoadHistogram Histogram { get; init; }

    /// <summary>Gets the latencies without the waiting time for the concurrency limit, or null if they were not requested or are unknown.</summary>
    public LoadHistogram? Wire { get; init; }

    public required long Hits { get; init; }

    public required long Misses { get; init; }

    /// <summary>Gets the number of failed calls by error code.</summary>
    public required IReadOnlyDictionary<string, long> Errors { get; init; }

    /// <summary>Gets the bytes allocated per call in the client, or null if its runtime does not report them.</summary>
    public double? BytesPerCall { get; init; }

    /// <summary>Gets the CPU usage of the client, in processors (CPU seconds per second).</summary>
    public required double ClientCpu { get; init; }

    /// <summary>Gets the CPU usage of the server, in processors, or null if it runs on another machine.</summary>
    public double? ServerCpu { get; init; }

    /// <summary>
    /// Gets the CPU usage of the <c>redis-server</c> processes that contain the data, which is part of <see cref="ServerCpu"/>. Null if there are none or they
    /// are not measured.
    /// </summary>
    public double? StoreCpu { get; init; }

    /// <summary>Gets the total resident memory of the <c>redis-server</c> processes, in bytes.</summary>
    public long? StoreResidentBytes { get; init; }

    /// <summary>Gets the resident memory of the Larder server, in bytes, or null if unknown.</summary>
    public long? ServerResidentBytes { get; init; }

    /// <summary>Gets the bytes that the Larder server allocated per second, or null if unknown.</summary>
    public double? ServerBytesPerSecond { get; init; }

    /// <summary>Gets the latency measured by the server, or null if unknown.</summary>
    public ServerLatency? Server { get; init; }

    /// <summary>Gets the number of open connections as reported by the server, or by the client if the server does not report it. Null if unknown.</summary>
    public long? Connections { get; init; }

    /// <summary>Gets the CPU usage of other programs and the host, in processors, or null if unknown.</summary>
    public double? OthersCpu { get; init; }

    /// <summary>Gets the CPU usage of the tuner itself, in processors, or null if unknown. Most of the usage is caused by the delay proxy.</summary>
    public double? OwnCpu { get; init; }

    /// <summary>Gets the p99 scheduling lag in the client, in µs.</summary>
    public double LagP99Us { get; init; }

    /// <summary>Gets the maximum scheduling lag in the client, in µs.</summary>
    public double LagMaxUs { get; init; }

    /// <summary>Gets the latencies measured from the actual start of the calls. Null in a closed loop.</summary>
    public LoadHistogram? ServiceHistogram { get; init; }

    /// <summary>
    /// Gets the delays between the due time of a call and its start. Only calls for which a caller was free at the due time are included, so the delays are
    /// caused by the generator. Null in a closed loop.
    /// </summary>
    public LoadHistogram? LateHistogram { get; init; }

    /// <summary>Gets the stalls of the machine during the round, or null if they were not measured.</summary>
    public MachineStalls? Stalls { get; init; }

    /// <summary>Gets the stalls of at least 1 ms, relative to the start of the measured time. Empty if they were not measured.</summary>
    public IReadOnlyList<StallPeriod> StallPeriods { get; init; } = [];

    /// <summary>Gets the number of calls that never started in an open loop, because no caller became free before the end. Zero in a closed loop.</summary>
    public long Unstarted { get; init; }

    /// <summary>
    /// Gets slices of the measured time. Each slice contains its end, in seconds since the start, and the number of its calls in each bucket of <see
    /// cref="TimeSlice"/>. Empty if the agent reports no slices.
    /// </summary>
    public IReadOnlyList<(double EndSeconds, IReadOnlyList<HeatCell> Cells)> Slices { get; init; } = [];

    /// <summary>Gets the samples of the concurrency limit, one for each second and one at the end. Empty if the limit was not sampled.</summary>
    public IReadOnlyList<int> Caps { get; init; } = [];

    /// <summary>Gets whether the client reported that the latency target of its adaptive limit cannot be met.</summary>
    public bool SaidUnreachable { get; init; }

    /// <summary>Gets the measured time in seconds.</summary>
    public double MeasuredSeconds { get; init; }

    /// <summary>Creates a round with the client's results. They are in the last line of the agent's output for the load.</summary>
    public static Round From(JsonObject line)
    {
        double seconds = (double)line["seconds"]!;
        return new Round
        {
            RequestsPerSecond = (long)line["requests"]! / seconds,
            Histogram = LoadLines.ReadHistogram(line["histogram"]!),
            Wire = line["wireHistogram"] is { } wire ? LoadLines.ReadHistogram(wire) : null,
            Hits = (long)line["hits"]!,
            Misses = (long)line["misses"]!,
            Errors = line["errors"]!.AsObject().ToDictionary(pair => pair.Key, pair => (long)pair.Value!),
            BytesPerCall = (double?)line["bytesAllocatedPerCall"],
            ClientCpu = (double)line["clientCpuSeconds"]! / seconds,
            Connections = (long?)line["connections"],
            LagP99Us = (double?)line["lagUs"]?["p99"] ?? 0,
            LagMaxUs = (double?)line["lagUs"]?["max"] ?? 0,
            ServiceHistogram = line["serviceHistogram"] is { } service ? LoadLines.ReadHistogram(service) : null,
            LateHistogram = line["lateHistogram"] is { } late ? LoadLines.ReadHistogram(late) : null,
            Unstarted = (long?)line["unstarted"] ?? 0,
            MeasuredSeconds = seconds,
            Slices = line["slices"] is JsonArray slices ? [.. slices.Select(SliceOf)] : [],
        };
    }

    private static (double, IReadOnlyList<HeatCell>) SliceOf(JsonNode? slice) =>
        ((double)slice!["endMs"]! / 1000, [.. slice["counts"]!.AsArray().Select(cell => new HeatCell((int)cell![0]!, (long)cell[1]!))]);
}
