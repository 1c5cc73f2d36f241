using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Report.Compare;

/// <summary>Whether two runs may be laid over each other, and in what they differ.</summary>
internal static class Likeness
{
    /// <summary>What is unlike about their machines; empty when they may be compared. Commit, date and the tuner's runtime are not the machine.</summary>
    public static IReadOnlyList<string> UnlikeMachines(TuneRun a, TuneRun b) => Differences(
        ("processor", a.Machine.Cpu, b.Machine.Cpu),
        ("number of processors", Show.Count(a.Machine.Processors), Show.Count(b.Machine.Processors)),
        ("memory", Gigabytes(a), Gigabytes(b)),
        ("system", a.Machine.System, b.Machine.System));

    /// <summary>In what else they differ: what is compared, it is to be hoped.</summary>
    public static IReadOnlyList<string> OtherDifferences(TuneRun a, TuneRun b) => Differences(
    [
        .. RunTables.Environment(a).Zip(RunTables.Environment(b))
            .Where(pair => pair.First.Name is not ("Machine" or "System" or "Took"))
            .Select(pair => (pair.First.Name.ToLowerInvariant(), pair.First.Value, pair.Second.Value)),
        ("target", $"{a.Target.Name()} < {Show.ShortUs(a.Target.LimitUs)}", $"{b.Target.Name()} < {Show.ShortUs(b.Target.LimitUs)}"),
    ]);

    /// <summary>What a reader must know of each: noise above all, which can make a ratio worthless.</summary>
    public static IReadOnlyList<string> Notes(TuneRun a, TuneRun b) => [.. a.Notes.Select(note => "A: " + note), .. b.Notes.Select(note => "B: " + note)];

    private static IReadOnlyList<string> Differences(params (string What, string A, string B)[] facts) =>
        [.. facts.Where(fact => fact.A != fact.B).Select(fact => $"{fact.What}: {fact.A} / {fact.B}")];

    /// <summary>In whole GiB: what a system keeps for itself differs from one start to the next.</summary>
    private static string Gigabytes(TuneRun run) => $"{Math.Round(run.Machine.MemoryBytes / (double)(1L << 30))} GiB";
}
