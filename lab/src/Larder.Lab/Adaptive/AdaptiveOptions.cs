namespace Larder.Lab.Adaptive;

/// <summary>What the adaptive cap is shown against: a server whose right answer is known, a client, a target.</summary>
internal sealed record AdaptiveOptions
{
    /// <summary><c>dotnet</c>, <c>python</c> or <c>node</c>.</summary>
    public required string Client { get; init; }

    /// <summary>Which part: <c>steady</c> or <c>slow</c>.</summary>
    public required string Part { get; init; }

    /// <summary>The target for p99.9, from a call's permit to its end.</summary>
    public required double TargetMs { get; init; }

    /// <summary>Calls that the server does at once.</summary>
    public required int Parallelism { get; init; }

    /// <summary>What each takes there.</summary>
    public required double ServiceMs { get; init; }

    /// <summary>Rounds, fixed and adaptive in turn; medians are shown.</summary>
    public required int Rounds { get; init; }

    /// <summary>Measured seconds of a round of the steady part.</summary>
    public required double Seconds { get; init; }

    /// <summary>Seconds before, in which the adaptive cap finds its place; a fixed one needs one, for connections.</summary>
    public double SettleSeconds { get; init; } = 5;

    /// <summary>How many times slower the server is for a while.</summary>
    public double Slowness { get; init; } = 8;

    /// <summary>Seconds of the slow part before the slow time, in it, and after it.</summary>
    public (int Before, int Slow, int After) SlowSeconds { get; init; } = (2, 15, 6);

    /// <summary>Callers who always want more, and the adaptive cap's bound: more than any cap that holds the target has room for.</summary>
    public int Callers => 2 * Predicted;

    /// <summary>Computed: the last of so many in flight waits for as many rounds of the server's parallelism as fit into the target.</summary>
    public int Predicted => (int)(TargetMs / ServiceMs * Parallelism);
}
