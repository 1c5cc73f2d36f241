using Larder.Report;
using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Output;

/// <summary>Says what runs found, and writes them to a folder.</summary>
internal static class RunOutput
{
    /// <summary>
    /// Each run as JSON, HTML, CSV and Markdown: <c>tune-dotnet-pipeline-p999-5ms.json</c> and so on; with <paramref name="brief"/> as a small JSON and
    /// Markdown only, which is what is committed.
    /// </summary>
    public static void Write(IReadOnlyList<TuneRun> runs, string folder, bool brief)
    {
        Directory.CreateDirectory(folder);
        foreach (TuneRun run in runs)
        {
            Console.WriteLine();
            Console.WriteLine(RunAnswer.Of(run));
            foreach (
                string file in brief ? RunFiles.WriteBrief(run, Path.Combine(folder, NameOf(run))) : RunFiles.Write(run, Path.Combine(folder, NameOf(run))))
            {
                Console.WriteLine(file);
            }
        }
    }

    /// <summary>Writes what an interrupted run measured, under names of its own, so that no complete run is replaced; says so if it measured nothing.</summary>
    public static void WriteIncomplete(IReadOnlyList<TuneRun> runs, string folder, bool brief)
    {
        if (runs.Count == 0)
        {
            Console.Error.WriteLine("Nothing was measured yet.");
            return;
        }

        Write(runs, folder, brief);
    }

    private static string NameOf(TuneRun run) =>
        $"tune-{run.Client.Language}-{run.Client.Transport}-{run.Target.Name().Replace(".", "", StringComparison.Ordinal)}-"
        + $"{DurationText.Of(TimeSpan.FromMicroseconds(run.Target.LimitUs))}{(run.Interrupted ? "-incomplete" : "")}";
}
