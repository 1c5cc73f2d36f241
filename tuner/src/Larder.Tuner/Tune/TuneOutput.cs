namespace Larder.Tuner.Tune;

/// <summary>Writes runs to a folder.</summary>
internal static class TuneOutput
{
    /// <summary>One JSON file for each run: <c>tune-dotnet-pipeline-p999-5ms.json</c>.</summary>
    public static void Write(IReadOnlyList<TuneRun> runs, string folder)
    {
        Directory.CreateDirectory(folder);
        foreach (var run in runs)
        {
            var file = Path.Combine(folder, NameOf(run) + ".json");
            File.WriteAllText(file, TuneRunFile.Write(run));
            Console.WriteLine(file);
        }
    }

    private static string NameOf(TuneRun run) =>
        $"tune-{run.Client.Language}-{run.Client.Transport}-{run.Target.Name().Replace(".", "", StringComparison.Ordinal)}-{DurationText.Of(TimeSpan.FromMicroseconds(run.Target.LimitUs))}";
}
