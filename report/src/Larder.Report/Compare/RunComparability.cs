using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Report.Compare;

/// <summary>Determines whether two runs are comparable and how they differ.</summary>
internal static class RunComparability
{
    /// <summary>
    /// Returns the differences between the machines. Empty if the runs are comparable. The commit, the date and the tuner's runtime do not count as
    /// differences.
    /// </summary>
    public static IReadOnlyList<string> UnlikeMachines(TuneRun a, TuneRun b) => Differences(
        ("processor", a.Machine.Cpu, b.Machine.Cpu),
        ("number of processors", Show.Count(a.Machine.Processors), Show.Count(b.Machine.Processors)),
        ("memory", Gigabytes(a), Gigabytes(b)),
        ("system", a.Machine.System, b.Machine.System));

    /// <summary>
    /// Returns the differences between the runs, except those between the machines. They include the differences whose effect the comparison should measure.
    /// </summary>
    public static IReadOnlyList<string> OtherDifferences(TuneRun a, TuneRun b) => Differences(
    [
        .. RunTables.Environment(a).Zip(RunTables.Environment(b))
            .Where(pair => pair.First.Name is not ("Machine" or "System" or "Took"))
            .Select(pair => (pair.First.Name.ToLowerInvariant(), pair.First.Value, pair.Second.Value)),
        ("target", $"{a.Target.Name()} < {Show.ShortUs(a.Target.LimitUs)}", $"{b.Target.Name()} < {Show.ShortUs(b.Target.LimitUs)}"),
    ]);

    /// <summary>Returns the notes of both runs. The most important ones are about noise, which can make a ratio meaningless.</summary>
    public static IReadOnlyList<string> Notes(TuneRun a, TuneRun b) => [.. a.Notes.Select(note => "A: " + note), .. b.Notes.Select(note => "B: " + note)];

    private static IReadOnlyList<string> Differences(params (string What, string A, string B)[] facts) =>
        [.. facts.Where(fact => fact.A != fact.B).Select(fact => $"{fact.What}: {fact.A} / {fact.B}")];

    /// <summary>Returns the memory in whole GiB. It is rounded because the amount that the system reserves varies from boot to boot.</summary>
    private static string Gigabytes(TuneRun run) => $"{Math.Round(run.Machine.MemoryBytes / (double)(1L << 30))} GiB";
}
