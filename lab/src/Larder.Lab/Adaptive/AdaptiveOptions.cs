namespace Larder.Lab.Adaptive;

/// <summary>The options of the comparison: a server for which the right answer is known, a client, a target.</summary>
internal sealed record AdaptiveOptions
{
    /// <summary>Gets the client: <c>dotnet</c>, <c>python</c> or <c>node</c>.</summary>
    public required string Client { get; init; }

    /// <summary>Gets the part: <c>steady</c> or <c>slow</c>.</summary>
    public required string Part { get; init; }

    /// <summary>Gets the target for p99.9, from a call's permit to its end, in ms.</summary>
    public required double TargetMs { get; init; }

    /// <summary>Gets the number of calls that the server processes concurrently.</summary>
    public required int Parallelism { get; init; }

    /// <summary>Gets the server's processing time of a call, in ms.</summary>
    public required double ServiceMs { get; init; }

    /// <summary>Gets the number of rounds, fixed and adaptive alternately; the medians are shown.</summary>
    public required int Rounds { get; init; }

    /// <summary>Gets the measured seconds of a round of the steady part.</summary>
    public required double Seconds { get; init; }

    /// <summary>Gets the seconds before a measurement in which the adaptive cap settles; a fixed cap needs one second, for connections.</summary>
    public double SettleSeconds { get; init; } = 5;

    /// <summary>Gets the factor by which the server is temporarily slower.</summary>
    public double Slowness { get; init; } = 8;

    /// <summary>Gets the seconds of the slow part before, during and after the slow time.</summary>
    public (int Before, int Slow, int After) SlowSeconds { get; init; } = (2, 15, 6);

    /// <summary>Gets the number of callers that always want more, and the bound of the adaptive cap: more than any cap that meets the target.</summary>
    public int Callers => 2 * Predicted;

    /// <summary>
    /// Gets the computed right answer. The last of this many calls in flight waits for as many rounds of the server's parallelism as fit into the target.
    /// </summary>
    public int Predicted => (int)(TargetMs / ServiceMs * Parallelism);
}
