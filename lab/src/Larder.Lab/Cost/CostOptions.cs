using Larder.Tuner.Processes;

namespace Larder.Lab.Cost;

/// <summary>The options of <c>larder lab cost</c>.</summary>
internal sealed record CostOptions
{
    /// <summary>The default total duration.</summary>
    public static readonly TimeSpan UsualBudget = TimeSpan.FromMinutes(5);

    /// <summary>Gets the rates to measure, as shares of the best rate.</summary>
    public static IReadOnlyList<double> Shares { get; } = [0.5, 0.7, 0.85];

    public required IReadOnlyList<string> Clients { get; init; }

    public required IReadOnlyList<string> Transports { get; init; }

    /// <summary>Gets the numbers of calls in flight to try in the search for the best rate.</summary>
    public IReadOnlyList<int> Rungs { get; init; } = [13, 34, 89, 233, 610, 1597];

    /// <summary>Gets the number of passes. Each pass measures every share once. A second checkout is measured alternately with this one.</summary>
    public int Passes { get; init; } = 3;

    /// <summary>Gets the total duration.</summary>
    public TimeSpan Budget { get; init; } = UsualBudget;

    /// <summary>Gets the duration of each load without its warm-up, in seconds. If null, the budget is divided equally.</summary>
    public double? Seconds { get; init; }

    /// <summary>Gets the other checkout; null for none.</summary>
    public OtherCheckout? Before { get; init; }

    public string Command { get; init; } = "";

    /// <summary>
    /// Gets the total number of loads. For each client and transport, there is one load for each of the <see cref="Rungs"/>, one load for each share in each
    /// pass and checkout, and one load of the generator alone for each share.
    /// </summary>
    public int Rounds => Clients.Count * Transports.Count * (Rungs.Count + (Shares.Count * ((Passes * (Before is null ? 1 : 2)) + 1)));
}
