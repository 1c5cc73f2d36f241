using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>The options of <c>larder lab story</c>.</summary>
internal sealed record StoryOptions
{
    /// <summary>The default total duration: eight minutes.</summary>
    public static readonly TimeSpan UsualBudget = TimeSpan.FromMinutes(8);

    /// <summary>Gets the client: <c>dotnet</c>, <c>python</c> or <c>node</c>.</summary>
    public required string Client { get; init; }

    /// <summary>Gets the total duration.</summary>
    public TimeSpan Budget { get; init; } = UsualBudget;

    /// <summary>Gets the ids of the steps to run; null for all.</summary>
    public IReadOnlyList<string>? Steps { get; init; }

    /// <summary>Gets the duration of each load without its warm-up, in seconds. If null, the budget is divided equally.</summary>
    public double? Seconds { get; init; }

    /// <summary>Gets the maximum number of callers.</summary>
    public int Most { get; init; } = 5_000;

    /// <summary>Gets the number of passes over the loads of each step. The second pass is in reverse order. If time runs out, there is only one pass.</summary>
    public int Passes { get; init; } = 2;

    /// <summary>Gets the number of processors that other programs may use during a row. If they use more, the row is marked.</summary>
    public double NoiseLimit { get; init; } = 0.1;

    public string Command { get; init; } = "";

    /// <summary>Gets the two published targets.</summary>
    public static IReadOnlyList<TuneTarget> Targets { get; } = [new(0.999, 5_000), new(0.999, 20_000)];
}
