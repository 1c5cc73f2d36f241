using System.CommandLine;
using Larder.Report;
using Larder.Report.Graphs;
using Larder.Report.Page;
using Larder.Report.Runs;

namespace Larder.Tuner.Report;

/// <summary>
/// The command <c>larder tune report run.json</c>. It generates the report of a run again, next to its JSON file or elsewhere. For several runs, it creates one
/// page with all of them.
/// </summary>
internal static class ReportCommand
{
    /// <summary>The file name of the page for several runs.</summary>
    public const string Overlay = "overlay.html";

    public static Command Create()
    {
        var files = new Argument<FileInfo[]>("run.json")
        {
            Description = $"JSON file of a run, written by larder tune. Pass two to {GraphedRun.Looks.Count} files to combine their runs in {Overlay}.",
            Arity = ArgumentArity.OneOrMore,
        };
        var output = new Option<DirectoryInfo?>("--output")
        {
            Description = "Folder for the report. The default is the folder of the run (for several runs, the current folder).",
        };
        var command = new Command("report", "Regenerates the report of a run (HTML, CSV, Markdown and SVG figures), or combines several runs in one report.")
        {
            files,
            output,
        };
        command.SetAction(arguments => Run(arguments.GetValue(files)!, arguments.GetValue(output)));
        return command;
    }

    /// <summary>Writes the reports. Returns the exit code: 2 if there are too many runs, or 4 if a run cannot be read or a report cannot be written.</summary>
    public static int Run(IReadOnlyList<FileInfo> files, DirectoryInfo? output)
    {
        if (files.Count > GraphedRun.Looks.Count)
        {
            Console.Error.WriteLine($"a report can combine at most {GraphedRun.Looks.Count} runs, but got {files.Count}; pass fewer files");
            return 2;
        }

        try
        {
            TuneRun[] runs = [.. files.Select(file => TuneRunFile.Read(file.FullName))];
            string folder = Directory.CreateDirectory(output?.FullName ?? (files.Count == 1 ? files[0].DirectoryName! : Environment.CurrentDirectory)).FullName;
            foreach (string path in files.Count == 1 ? RunFiles.Write(runs[0], Stem(folder, files[0])) : [Over(files, runs, folder)])
            {
                Console.WriteLine(path);
            }

            return 0;
        }
        catch (Exception failed) when (failed is RunFileException or IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine(failed.Message);
            return 4;
        }
    }

    private static string Stem(string folder, FileInfo file) => Path.Combine(folder, Path.GetFileNameWithoutExtension(file.Name));

    private static string Over(IReadOnlyList<FileInfo> files, TuneRun[] runs, string folder)
    {
        string path = Path.Combine(folder, Overlay);
        File.WriteAllText(path, OverlayReport.Of([.. files.Zip(runs, (file, run) => (file.Name, run))]));
        return path;
    }
}
