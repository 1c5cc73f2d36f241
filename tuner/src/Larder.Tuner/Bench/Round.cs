using System.Text.Json.Nodes;
using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Bench;

/// <summary>What one round measured.</summary>
internal sealed record Round
{
    /// <summary>Calls a second.</summary>
    public required double RequestsPerSecond { get; init; }

    /// <summary>Latencies, failures included.</summary>
    public required LoadHistogram Histogram { get; init; }

    /// <summary>Latencies from the permit to the end, without waiting for the cap; null where they were not asked for or the client does not tell.</summary>
    public LoadHistogram? Wire { get; init; }

    /// <summary>Gets that found a value.</summary>
    public required long Hits { get; init; }

    /// <summary>Gets that found none.</summary>
    public required long Misses { get; init; }

    /// <summary>Failed calls by code.</summary>
    public required IReadOnlyDictionary<string, long> Errors { get; init; }

    /// <summary>Bytes allocated per call in the client; null where its runtime does not tell.</summary>
    public double? BytesPerCall { get; init; }

    /// <summary>Processors that the client used: CPU seconds a second.</summary>
    public required double ClientCpu { get; init; }

    /// <summary>Processors that the server used; null when it is elsewhere.</summary>
    public double? ServerCpu { get; init; }

    /// <summary>Of those, what <c>redis-server</c>'s processes used that hold the data; null where there are none, or they are not measured with it.</summary>
    public double? StoreCpu { get; init; }

    /// <summary>Resident memory of those processes together, in bytes.</summary>
    public long? StoreResidentBytes { get; init; }

    /// <summary>Resident memory of our server, in bytes; null when it does not tell.</summary>
    public long? ServerResidentBytes { get; init; }

    /// <summary>Bytes that our server allocated a second; null when it does not tell.</summary>
    public double? ServerBytesPerSecond { get; init; }

    /// <summary>The server's own latency; null when it does not tell.</summary>
    public ServerLatency? Server { get; init; }

    /// <summary>Open connections as the server sees them, otherwise as the client does; null when neither tells.</summary>
    public long? Connections { get; init; }

    /// <summary>Processors that other programs and the host took meanwhile; null where it cannot be read.</summary>
    public double? OthersCpu { get; init; }

    /// <summary>Processors that the tuner itself used, its proxy above all; null where it cannot be read.</summary>
    public double? OwnCpu { get; init; }

    /// <summary>Lag of the client's scheduler, 99 %, in µs.</summary>
    public double LagP99Us { get; init; }

    /// <summary>Worst lag of the client's scheduler, in µs.</summary>
    public double LagMaxUs { get; init; }

    /// <summary>Open loop: latencies from when the calls were really made; null in the closed loop.</summary>
    public LoadHistogram? ServiceHistogram { get; init; }

    /// <summary>Open loop: of calls for which a caller was free when they were due, how late the generator made them; null in the closed loop.</summary>
    public LoadHistogram? LateHistogram { get; init; }

    /// <summary>What the machine withheld meanwhile; null where nobody watched.</summary>
    public MachineStalls? Stalls { get; init; }

    /// <summary>Open loop: arrivals that were due and had found no free caller at the end.</summary>
    public long Unstarted { get; init; }

    /// <summary>
    /// Pieces of the measured time: when each ended, in s since it began, and its calls by the buckets of <see cref="TimeSlice"/>. Empty where the agent told
    /// none.
    /// </summary>
    public IReadOnlyList<(double EndSeconds, IReadOnlyList<HeatCell> Cells)> Slices { get; init; } = [];

    /// <summary>The cap in force, each second and at the end; empty where nobody asked.</summary>
    public IReadOnlyList<int> Caps { get; init; } = [];

    /// <summary>Whether the client said that its target is out of reach.</summary>
    public bool SaidUnreachable { get; init; }

    /// <summary>Measured time.</summary>
    public double MeasuredSeconds { get; init; }

    /// <summary>The client's part, from the last line of its agent's load.</summary>
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
