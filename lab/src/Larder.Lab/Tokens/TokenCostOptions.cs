using Larder.Tuner.Bench;

namespace Larder.Lab.Tokens;

/// <summary>The options of <c>larder lab tokens</c>.</summary>
internal sealed record TokenCostOptions
{
    /// <summary>Gets the transports to measure, each with a number of callers.</summary>
    public IReadOnlyList<(string Transport, Rung Rung)> Loads { get; init; } = [];

    /// <summary>Gets the number of measurements (turns) of each server.</summary>
    public int Rounds { get; init; } = 7;

    /// <summary>Gets the duration of a turn without its warm-up, in seconds.</summary>
    public double Seconds { get; init; } = 1.5;

    /// <summary>Gets the seconds of warm-up before a turn.</summary>
    public double WarmupSeconds { get; init; } = 0.5;

    /// <summary>Gets whether both servers run without a token file. The difference between the servers is then only noise.</summary>
    public bool AreAlike { get; init; }
}
