using Larder.Tuner.Processes;

namespace Larder.Lab.Cost;

/// <summary>What <c>larder lab cost</c> was asked to do.</summary>
internal sealed record CostOptions
{
    /// <summary>What the whole may take by default.</summary>
    public static readonly TimeSpan UsualBudget = TimeSpan.FromMinutes(5);

    /// <summary>Parts of the best rate at which it is measured.</summary>
    public static IReadOnlyList<double> Shares { get; } = [0.5, 0.7, 0.85];

    /// <summary>The clients.</summary>
    public required IReadOnlyList<string> Clients { get; init; }

    /// <summary>Their transports.</summary>
    public required IReadOnlyList<string> Transports { get; init; }

    /// <summary>Numbers in flight among which the best rate is looked for.</summary>
    public IReadOnlyList<int> Rungs { get; init; } = [13, 34, 89, 233, 610, 1597];

    /// <summary>Passes over the shares; with another checkout both in each pass, in turn.</summary>
    public int Passes { get; init; } = 3;

    /// <summary>What the whole may take.</summary>
    public TimeSpan Budget { get; init; } = UsualBudget;

    /// <summary>Measured seconds of each load; null shares out the budget.</summary>
    public double? Seconds { get; init; }

    /// <summary>The other checkout; null for none.</summary>
    public OtherCheckout? Before { get; init; }

    /// <summary>The command as typed.</summary>
    public string Command { get; init; } = "";

    /// <summary>Loads in all: the rungs, the shares in each pass of one checkout or two, the generator alone at each share.</summary>
    public int Rounds => Clients.Count * Transports.Count * (Rungs.Count + (Shares.Count * ((Passes * (Before is null ? 1 : 2)) + 1)));
}
