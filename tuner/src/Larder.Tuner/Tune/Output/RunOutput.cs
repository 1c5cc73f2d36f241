using Larder.Report;
using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Output;

/// <summary>Prints the results of runs and writes them to a folder.</summary>
internal static class RunOutput
{
    /// <summary>
    /// Writes each run as JSON, HTML, CSV and Markdown, with names such as <c>tune-dotnet-pipeline-p999-5ms.json</c>. With <paramref name="brief"/>, it writes
    /// only a small JSON file and Markdown. These are the files to commit.
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

    /// <summary>
    /// Writes the results of an interrupted run. The files have separate names, so that no complete run is overwritten. Prints a message if nothing was
    /// measured.
    /// </summary>
    public static void WriteIncomplete(IReadOnlyList<TuneRun> runs, string folder, bool brief)
    {
        if (runs.Count == 0)
        {
            Console.Error.WriteLine("Interrupted before anything was measured.");
            return;
        }

        Write(runs, folder, brief);
    }

    private static string NameOf(TuneRun run) =>
        $"tune-{run.Client.Language}-{run.Client.Transport}-{run.Target.Name().Replace(".", "", StringComparison.Ordinal)}-"
        + $"{DurationText.Of(TimeSpan.FromMicroseconds(run.Target.LimitUs))}{(run.Interrupted ? "-incomplete" : "")}";
}
