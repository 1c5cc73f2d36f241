using Larder.Tuner.Processes;

namespace Larder.Lab.Cost;

/// <summary>The options of <c>larder lab cost</c>.</summary>
internal sealed record CostOptions
{
    /// <summary>The default total duration.</summary>
    public static readonly TimeSpan UsualBudget = TimeSpan.FromMinutes(5);

    /// <summary>Gets the shares of the best rate that are measured.</summary>
    public static IReadOnlyList<double> Shares { get; } = [0.5, 0.7, 0.85];

    public required IReadOnlyList<string> Clients { get; init; }

    public required IReadOnlyList<string> Transports { get; init; }

    /// <summary>Gets the numbers of calls in flight among which the best rate is searched.</summary>
    public IReadOnlyList<int> Rungs { get; init; } = [13, 34, 89, 233, 610, 1597];

    /// <summary>Gets the number of passes over the shares. With another checkout, each pass measures both alternately.</summary>
    public int Passes { get; init; } = 3;

    /// <summary>Gets the total duration.</summary>
    public TimeSpan Budget { get; init; } = UsualBudget;

    /// <summary>Gets the measured seconds of each load; null to divide the budget.</summary>
    public double? Seconds { get; init; }

    /// <summary>Gets the other checkout; null for none.</summary>
    public OtherCheckout? Before { get; init; }

    public string Command { get; init; } = "";

    /// <summary>Gets the total number of loads: the rungs, the shares in each pass and checkout, and the generator alone at each share.</summary>
    public int Rounds => Clients.Count * Transports.Count * (Rungs.Count + (Shares.Count * ((Passes * (Before is null ? 1 : 2)) + 1)));
}
