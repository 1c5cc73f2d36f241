namespace Larder.Lab.Adaptive;

/// <summary>The options of the comparison: a server for which the best concurrency limit can be computed, a client, and a target.</summary>
internal sealed record AdaptiveOptions
{
    /// <summary>Gets the language of the client: <c>dotnet</c>, <c>python</c> or <c>node</c>.</summary>
    public required string Client { get; init; }

    /// <summary>Gets the part of the comparison to run: <c>steady</c> or <c>slow</c>.</summary>
    public required string Part { get; init; }

    /// <summary>Gets the p99.9 target in ms. It applies to the time from a call's permit to its end.</summary>
    public required double TargetMs { get; init; }

    /// <summary>Gets the number of calls that the server processes concurrently.</summary>
    public required int Parallelism { get; init; }

    /// <summary>Gets the server's processing time of a call, in ms.</summary>
    public required double ServiceMs { get; init; }

    /// <summary>Gets the number of rounds. The fixed and the adaptive limit are measured alternately, and the medians are shown.</summary>
    public required int Rounds { get; init; }

    /// <summary>Gets the measured seconds of a round of the steady part.</summary>
    public required double Seconds { get; init; }

    /// <summary>
    /// Gets the seconds in which the adaptive limit settles before a measurement. A fixed limit needs only one second, in which connections are opened.
    /// </summary>
    public double SettleSeconds { get; init; } = 5;

    /// <summary>Gets the factor by which the server is slower during the slow phase.</summary>
    public double Slowness { get; init; } = 8;

    /// <summary>Gets the seconds of the slow part before, during and after the slow phase.</summary>
    public (int Before, int Slow, int After) SlowSeconds { get; init; } = (2, 15, 6);

    /// <summary>
    /// Gets the number of callers, which is also the maximum of the adaptive limit. It is more than any limit that meets the target, so the limit determines
    /// the number of calls in flight.
    /// </summary>
    public int Callers => 2 * Predicted;

    /// <summary>
    /// Gets the computed best limit. The server completes one batch of concurrent calls per service time. With this limit, the calls in flight are as many
    /// batches as the server completes within the target.
    /// </summary>
    public int Predicted => (int)(TargetMs / ServiceMs * Parallelism);
}
