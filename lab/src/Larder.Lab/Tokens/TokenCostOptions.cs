using Larder.Tuner.Bench;

namespace Larder.Lab.Tokens;

/// <summary>What <c>larder lab tokens</c> was asked to do.</summary>
internal sealed record TokenCostOptions
{
    /// <summary>Each transport, and the callers that it is measured with.</summary>
    public IReadOnlyList<(string Transport, Rung Rung)> Loads { get; init; } = [];

    /// <summary>Turns of each server.</summary>
    public int Rounds { get; init; } = 7;

    /// <summary>Measured seconds of a turn.</summary>
    public double Seconds { get; init; } = 1.5;

    /// <summary>Seconds before it that are not measured.</summary>
    public double WarmupSeconds { get; init; } = 0.5;

    /// <summary>Whether neither server has a file of tokens: what is seen then is noise.</summary>
    public bool AreAlike { get; init; }
}
