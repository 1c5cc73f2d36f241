
namespace Larder.Report.Runs;

/// <summary>One load of some seconds: what the client, the server and the machine said of it.</summary>
internal sealed record Measurement
{
    /// <summary>Measured time, in s.</summary>
    public double Seconds { get; init; }

    /// <summary>Calls that ended, a second.</summary>
    public required double RequestsPerSecond { get; init; }

    /// <summary>Latency from the caller's view: closed loop from the call, open loop from when it was due.</summary>
    public required LatencySummary Latency { get; init; }

    /// <summary>The server's own latency; null when it does not tell.</summary>
    public ServerPercentiles? Server { get; init; }

    /// <summary>Failed calls by code.</summary>
    public IReadOnlyDictionary<string, long> Errors { get; init; } = new Dictionary<string, long>();

    /// <summary>Gets that found a value.</summary>
    public long Hits { get; init; }

    /// <summary>Gets that found none.</summary>
    public long Misses { get; init; }

    /// <summary>Processors that the client used.</summary>
    public double ClientCpu { get; init; }

    /// <summary>Processors that the server used.</summary>
    public double? ServerCpu { get; init; }

    /// <summary>Processors that other programs and the host took.</summary>
    public double? OthersCpu { get; init; }

    /// <summary>How late the client's scheduler (thread pool, event loop) ran work, in µs: 99 % and the worst.</summary>
    public double? LagP99Us { get; init; }

    /// <summary>The worst.</summary>
    public double? LagMaxUs { get; init; }

    /// <summary>Open connections.</summary>
    public long? Connections { get; init; }

    /// <summary>Bytes allocated in the client's process per call.</summary>
    public double? BytesPerCall { get; init; }

    /// <summary>Resident memory of the client's process.</summary>
    public long? ResidentBytes { get; init; }

    /// <summary>What the machine withheld meanwhile; null where nobody watched.</summary>
    public MachineStalls? Stalls { get; init; }

    /// <summary>Whether other programs disturbed it more than the noise limit allows.</summary>
    public bool Noisy { get; init; }
}

/// <summary>The server's own latency: calls, and quantiles in µs (upper bounds of buckets 6 % wide).</summary>
internal sealed record ServerPercentiles(long Calls, double P50Us, double P99Us, double P999Us);
