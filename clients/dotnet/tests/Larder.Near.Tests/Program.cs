using System.Globalization;
using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;
using Larder.Near.Tests.Worlds;

// Runs the same explorations as the tests and prints their results: the number of visited states with all safeguards, and the violation that occurs if a
// safeguard is removed. With --ways it also prints the paths to the violations.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
bool tellsWays = args.Contains("--ways");
bool isGood = true;
long states = 0;

Console.WriteLine("Every interleaving, with every safeguard:");
foreach ((Scenario scenario, Exploration found) in Explored(Scenarios.All, static scenario => scenario.Explore()))
{
    isGood &= found.IsComplete;
    states += found.States;
    Print(scenario.Name, found);
}

Console.WriteLine($"  {states:N0} states in all{(isGood ? ", and none breaks the promise" : "")}");
Console.WriteLine();
Console.WriteLine("Each safeguard removed:");
foreach ((Removal removal, Exploration found) in Explored(Removal.All, static removal => removal.Explore()))
{
    isGood &= found.Violation is not null;
    Print($"{removal.Text} ({removal.Scenario.Name})", found);
}

Console.WriteLine();
Console.WriteLine("Removed, and not missed:");
foreach (((Removal removal, string why), Exploration found) in Explored(Removal.NotNeeded, static one => one.Removal.Explore()))
{
    isGood &= found.IsComplete;
    Print($"{removal.Text}: {why} ({removal.Scenario.Name})", found);
}

Console.WriteLine();
Console.WriteLine("What is not promised:");
foreach (((Scenario scenario, string where), Exploration found) in Explored(Scenarios.NotPromised, static one => one.Scenario.Explore()))
{
    isGood &= found.Violation is not null;
    Print($"{where} ({scenario.Name})", found);
}

return isGood ? 0 : 1;

static IEnumerable<(T One, Exploration Found)> Explored<T>(IReadOnlyList<T> all, Func<T, Exploration> explore) =>
    all.AsParallel().AsOrdered().WithMergeOptions(ParallelMergeOptions.NotBuffered).WithDegreeOfParallelism(Math.Min(4, Environment.ProcessorCount))
        .Select(one => (one, explore(one)));

void Print(string what, Exploration found)
{
    string end = found.Violation is { } violation ? $"broken after {found.States:N0} states, in {found.Way.Count} steps: {violation}"
        : found.IsComplete ? $"{found.States:N0} states, none breaks the promise"
        : $"given up after {found.States:N0} states";
    Console.WriteLine($"  {what} → {end}");
    for (int step = 0; tellsWays && step < found.Way.Count; step++)
    {
        Console.WriteLine($"    {step + 1,2} {found.Way[step]}");
    }
}
