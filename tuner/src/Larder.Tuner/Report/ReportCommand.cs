using System.CommandLine;
using Larder.Tuner.Processes;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Report;

/// <summary><c>larder tune report run.json</c>: draws the report of a run anew, beside its JSON or elsewhere.</summary>
internal static class ReportCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var file = new Argument<FileInfo>("run.json") { Description = "A run that larder tune wrote." };
        var output = new Option<DirectoryInfo?>("--output") { Description = "Folder for the report. Default the run's own." };
        var command = new Command("report", "Write a run's report anew: HTML, CSV and Markdown.") { file, output };
        command.SetAction(arguments => Run(arguments.GetValue(file)!, arguments.GetValue(output)));
        return command;
    }

    private static int Run(FileInfo file, DirectoryInfo? output)
    {
        try
        {
            DirectoryInfo folder = Directory.CreateDirectory(output?.FullName ?? file.DirectoryName!);
            foreach (string path in RunFiles.Write(TuneRunFile.Read(file.FullName), Path.Combine(folder.FullName, Path.GetFileNameWithoutExtension(file.Name))))
            {
                Console.WriteLine(path);
            }

            return 0;
        }
        catch (TunerException unreadable)
        {
            Console.Error.WriteLine(unreadable.Message);
            return 4;
        }
    }
}
