using System.Text.Json;
using System.Text.Json.Serialization;
using Larder.Report.Drawing;
using Larder.Tuner.Processes;

namespace Larder.Lab.Story;

/// <summary>The files of the story: the run as JSON, the HTML page, the Markdown, and its pictures.</summary>
internal static class StoryFiles
{
    /// <summary>Writes the JSON to one folder and the other files to another folder. Returns the paths of all files.</summary>
    public static IReadOnlyList<string> Write(StoryRun run, string folderOfRun, string folderOfPage)
    {
        (string Path, string Text)[] files =
        [
            (Path.Combine(folderOfRun, run.Language + ".json"), Json(run)),
            (Path.Combine(folderOfPage, run.Language + ".html"), StoryPage.Of(run)),
            (Path.Combine(folderOfPage, run.Language + ".md"), StoryMarkdown.Of(run)),
            .. run.Steps.SelectMany(StoryGraphs.Of).Select(graph => (Path.Combine(folderOfPage, StoryMarkdown.PictureOf(run, graph)), SvgFile.Of(graph))),
        ];
        foreach ((string path, string text) in files)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, text);
        }

        return [.. files.Select(file => file.Path)];
    }

    public static string Json(StoryRun run) => JsonSerializer.Serialize(run, StoryJson.Default.StoryRun) + "\n";

    /// <summary>
    /// Reads a run file. Titles, questions and names are taken from the current version of the program. Measurements and the tuner's results are taken from the
    /// file.
    /// </summary>
    /// <exception cref="TunerException">The file cannot be read, or is not a run of this version.</exception>
    public static StoryRun Read(string path)
    {
        try
        {
            StoryRun? run = JsonSerializer.Deserialize(File.ReadAllText(path), StoryJson.Default.StoryRun);
            return run is { Version: StoryRun.CurrentVersion }
                ? StoryPlan.WithCurrentTexts(run)
                : throw new TunerException($"{path} is not a story run, or its format version is not {StoryRun.CurrentVersion}; run the story again");
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException or JsonException)
        {
            throw new TunerException($"cannot read the story run {path}: {unreadable.Message}");
        }
    }
}

/// <summary>The JSON serialization of a story, generated at build time.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(StoryRun))]
internal sealed partial class StoryJson : JsonSerializerContext;
