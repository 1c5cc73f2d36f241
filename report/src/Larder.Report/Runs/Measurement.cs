
namespace Larder.Report.Runs;

/// <summary>The results of applying a load for several seconds. The values come from the client, the server and the machine.</summary>
internal sealed record Measurement
{
    /// <summary>Gets the measured time, in s.</summary>
    public double Seconds { get; init; }

    /// <summary>Gets the completed calls per second.</summary>
    public required double RequestsPerSecond { get; init; }

    /// <summary>
    /// Gets the latency as the caller experiences it. In a closed loop, it is measured from the start of the call. In an open loop, it is measured from the
    /// time at which the call was due.
    /// </summary>
    public required LatencySummary Latency { get; init; }

    /// <summary>Gets the server's own latency; null if the server does not report it.</summary>
    public ServerPercentiles? Server { get; init; }

    /// <summary>Gets the number of failed calls by code.</summary>
    public IReadOnlyDictionary<string, long> Errors { get; init; } = new Dictionary<string, long>();

    /// <summary>Gets the number of gets that found a value.</summary>
    public long Hits { get; init; }

    /// <summary>Gets the number of gets that found no value.</summary>
    public long Misses { get; init; }

    /// <summary>Gets the number of processors that the client used.</summary>
    public double ClientCpu { get; init; }

    /// <summary>Gets the number of processors that the server used.</summary>
    public double? ServerCpu { get; init; }

    /// <summary>Gets the number of processors that other programs and the host used.</summary>
    public double? OthersCpu { get; init; }

    /// <summary>
    /// Gets the 99th percentile of the scheduling lag, in µs. The lag is the delay with which the client's scheduler (thread pool, event loop) runs work.
    /// </summary>
    public double? LagP99Us { get; init; }

    /// <summary>Gets the maximum scheduling lag, in µs.</summary>
    public double? LagMaxUs { get; init; }

    /// <summary>Gets the number of open connections.</summary>
    public long? Connections { get; init; }

    /// <summary>Gets the bytes allocated in the client's process per call.</summary>
    public double? BytesPerCall { get; init; }

    /// <summary>Gets the resident memory of the client's process, in bytes.</summary>
    public long? ResidentBytes { get; init; }

    /// <summary>Gets the stalls of the machine during the measurement; null if they were not measured.</summary>
    public MachineStalls? Stalls { get; init; }

    /// <summary>Gets whether other programs disturbed the measurement more than the noise limit allows.</summary>
    public bool Noisy { get; init; }
}

/// <summary>The server's own latency: the number of calls, and quantiles in µs (upper bounds of buckets that are 6 % wide).</summary>
internal sealed record ServerPercentiles(long Calls, double P50Us, double P99Us, double P999Us);
