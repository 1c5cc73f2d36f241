using Larder.Report.Drawing;
using Larder.Report.Graphs;
using Larder.Report.Page;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Report;

/// <summary>
/// Writes a run in every format. JSON can be read again, HTML is for viewing, CSV is for spreadsheets, and Markdown is for quoting. A folder contains each
/// graph as SVG, and the percentile curves for HdrHistogram's plotter.
/// </summary>
internal static class RunFiles
{
    /// <summary>Writes the four files and the folder. Returns their paths.</summary>
    /// <param name="run">The run.</param>
    /// <param name="stem">The path without extension.</param>
    public static IReadOnlyList<string> Write(TuneRun run, string stem)
    {
        IReadOnlyList<string> files =
            Write(stem, [("json", TuneRunFile.Write(run)), ("html", RunReport.Of(run)), ("csv", CsvTable.Of(run)), ("md", MarkdownTable.Of(run))]);
        string folder = Directory.CreateDirectory($"{stem}-figures").FullName;
        foreach ((string name, string text) in Figures(run))
        {
            File.WriteAllText(Path.Combine(folder, name), text);
        }

        return [.. files, folder];
    }

    /// <summary>Returns the names and contents of the files in the folder.</summary>
    public static IEnumerable<(string Name, string Text)> Figures(TuneRun run) =>
    [
        .. RunFigures.Of(run).Select(graph => ($"{graph.Id}.svg", SvgFile.Of(graph))),
        .. from curve in Curves(run) where curve.Latency is { Curve.Count: > 0 } select ($"{curve.Name}.hgrm", HgrmFile.Of(curve.Latency!)),
    ];

    /// <summary>
    /// Writes the two files to commit. One is a reduced run as JSON, from which <c>larder tune report</c> can create a report. The other is the Markdown page.
    /// Returns their paths.
    /// </summary>
    public static IReadOnlyList<string> WriteBrief(TuneRun run, string stem) =>
        Write(stem, [("json", TuneRunFile.Write(RunSummary.Of(run))), ("md", MarkdownTable.Of(run))]);

    /// <summary>
    /// Returns the percentile curves. For the knee, the curve of the first pass is returned, because percentiles of several passes cannot be merged.
    /// </summary>
    private static IEnumerable<(string Name, LatencySummary? Latency)> Curves(TuneRun run)
    {
        RateStep? proof = RateAnswer.ProofOf(run.Proved, run.Rates);
        yield return ("confirmation-felt", proof?.Measured.Latency);
        yield return ("confirmation-service", proof?.Service);
        yield return ("knee", run.KneeRung()?.Repetitions[0].Latency);
    }

    private static IReadOnlyList<string> Write(string stem, IReadOnlyList<(string Extension, string Text)> forms)
    {
        foreach ((string? extension, string? text) in forms)
        {
            File.WriteAllText($"{stem}.{extension}", text);
        }

        return [.. forms.Select(form => $"{stem}.{form.Extension}")];
    }
}
