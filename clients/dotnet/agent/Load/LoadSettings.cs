using System.Text.Json;

namespace Larder.Agent;

/// <summary>The settings of a <c>load</c> request. See <c>conformance/AGENT.md</c>, "load".</summary>
internal sealed record LoadSettings
{
    /// <summary>Gets the number of concurrent callers, 1 to 100,000.</summary>
    public required int Callers { get; init; }

    /// <summary>Gets the duration of the measurement.</summary>
    public required TimeSpan Measured { get; init; }

    /// <summary>Gets the duration of the warm-up before the measurement. The default is 1 s.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Gets the seed of the callers' random number generators. The default is 1.</summary>
    public long Seed { get; init; } = 1;

    /// <summary>Gets the number of arrivals per second in an open loop, or null for a closed loop.</summary>
    public double? OpenLoopRatePerSecond { get; init; }

    /// <summary>Gets whether the gaps between arrivals are uniform instead of exponential.</summary>
    public bool UniformArrivals { get; init; }

    /// <summary>Gets whether each value that is read is compared with its key. The default is false.</summary>
    public bool Verify { get; init; }

    /// <summary>Gets whether a progress line is written each second. The default is true.</summary>
    public bool Progress { get; init; } = true;

    /// <summary>
    /// Gets whether a second latency is measured for each call. It begins when the call gets a permit of the concurrency limit, so it does not include the wait
    /// for the permit. The default is false.
    /// </summary>
    public bool Wire { get; init; }

    /// <summary>Gets the length of the time slices whose latencies are reported separately, or null for no slices.</summary>
    public TimeSpan? Slice { get; init; }

    /// <summary>Gets the workload.</summary>
    public LoadWorkload Workload { get; init; } = LoadWorkload.Reference;

    /// <summary>Parses the settings of a request line.</summary>
    /// <exception cref="AgentException">A field is missing or out of range.</exception>
    public static LoadSettings From(JsonElement line)
    {
        double callers = line.Number("callers") ?? throw new AgentException("callers is missing");
        double seconds = line.Number("seconds") ?? throw new AgentException("seconds is missing");
        double? rate = line.Number("openLoopRatePerSecond");
        double? slice = line.Number("sliceMs");
        if (slice is < 20 or > 60_000)
        {
            throw new AgentException($"sliceMs must be 20 to 60,000, but is {slice}");
        }

        if (callers is < 1 or > 100_000 || seconds is <= 0 or > 86_400 || rate is <= 0 or > 10_000_000)
        {
            throw new AgentException(
                "a setting is out of range: callers must be 1 to 100,000; seconds must be greater than 0 and at most 86,400; openLoopRatePerSecond must be "
                + "greater than 0 and at most 10,000,000");
        }

        return new LoadSettings
        {
            Callers = (int)callers,
            Measured = TimeSpan.FromSeconds(seconds),
            Warmup = TimeSpan.FromSeconds(Math.Clamp(line.Number("warmupSeconds") ?? 1, 0, 3600)),
            Seed = line.Long("seed") ?? 1,
            OpenLoopRatePerSecond = rate,
            UniformArrivals = line.Text("arrivals") == "uniform",
            Verify = line.Flag("verify", false),
            Progress = line.Flag("progress", true),
            Wire = line.Flag("wire", false),
            Slice = slice is { } ms ? TimeSpan.FromMilliseconds(ms) : null,
            Workload = line.TryGetProperty("workload", out JsonElement workload) ? ReadWorkload(workload) : LoadWorkload.Reference,
        };
    }

    private static LoadWorkload ReadWorkload(JsonElement json)
    {
        try
        {
            return LoadWorkload.From(json);
        }
        catch (ArgumentException wrong)
        {
            throw new AgentException(wrong.Message);
        }
    }
}
