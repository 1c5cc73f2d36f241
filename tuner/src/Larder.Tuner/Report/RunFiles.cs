using Larder.Tuner.Report.Page;
using Larder.Tuner.Report.Tables;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Report;

/// <summary>A run in every form: JSON to read again, HTML to look at, CSV to reckon with, Markdown to quote.</summary>
internal static class RunFiles
{
    /// <summary>Writes the four beside each other; their paths.</summary>
    /// <param name="run">The run.</param>
    /// <param name="stem">Folder and name, without an extension.</param>
    public static IReadOnlyList<string> Write(TuneRun run, string stem) =>
        Write(stem, [("json", TuneRunFile.Write(run)), ("html", RunReport.Of(run)), ("csv", CsvTable.Of(run)), ("md", MarkdownTable.Of(run))]);

    /// <summary>Writes what is worth committing: the summary as JSON, which <c>larder tune report</c> draws, and Markdown; their paths.</summary>
    public static IReadOnlyList<string> WriteBrief(TuneRun run, string stem) =>
        Write(stem, [("json", TuneRunFile.Write(RunSummary.Of(run))), ("md", MarkdownTable.Of(run))]);

    private static IReadOnlyList<string> Write(string stem, IReadOnlyList<(string Extension, string Text)> forms)
    {
        foreach ((string? extension, string? text) in forms)
        {
            File.WriteAllText($"{stem}.{extension}", text);
        }

        return [.. forms.Select(form => $"{stem}.{form.Extension}")];
    }
}
