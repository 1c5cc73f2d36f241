using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>What <c>larder lab story</c> was asked to do.</summary>
internal sealed record StoryOptions
{
    /// <summary>What the whole may take by default: eight minutes.</summary>
    public static readonly TimeSpan UsualBudget = TimeSpan.FromMinutes(8);

    /// <summary><c>dotnet python node</c>.</summary>
    public required string Client { get; init; }

    /// <summary>What the whole may take.</summary>
    public TimeSpan Budget { get; init; } = UsualBudget;

    /// <summary>Only these steps, by id; null for all.</summary>
    public IReadOnlyList<string>? Steps { get; init; }

    /// <summary>Measured seconds of each load; null shares out the budget.</summary>
    public double? Seconds { get; init; }

    /// <summary>The largest number of callers.</summary>
    public int Most { get; init; } = 5_000;

    /// <summary>Passes over the loads of each step, the second in the other direction; where time runs out, one.</summary>
    public int Passes { get; init; } = 2;

    /// <summary>Processors that other programs may use before a row is marked.</summary>
    public double NoiseLimit { get; init; } = 0.1;

    /// <summary>The command as typed.</summary>
    public string Command { get; init; } = "";

    /// <summary>The two targets that were published.</summary>
    public static IReadOnlyList<TuneTarget> Targets { get; } = [new(0.999, 5_000), new(0.999, 20_000)];
}
