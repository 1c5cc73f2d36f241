using System.Text.Json;
using System.Text.Json.Serialization;
using Larder.Report.Drawing;
using Larder.Tuner.Processes;

namespace Larder.Lab.Story;

/// <summary>The story's files: the run as JSON, the page, the Markdown and its pictures.</summary>
internal static class StoryFiles
{
    /// <summary>Writes them: the JSON to one folder, the rest to another; their paths.</summary>
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

    /// <summary>A run's text.</summary>
    public static string Json(StoryRun run) => JsonSerializer.Serialize(run, StoryJson.Default.StoryRun) + "\n";

    /// <summary>Reads one.</summary>
    /// <exception cref="TunerException">It cannot be read, or is no run of this version.</exception>
    public static StoryRun Read(string path)
    {
        try
        {
            StoryRun? run = JsonSerializer.Deserialize(File.ReadAllText(path), StoryJson.Default.StoryRun);
            return run is { Version: StoryRun.CurrentVersion }
                ? run
                : throw new TunerException($"{path} is no story of version {StoryRun.CurrentVersion}");
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException or JsonException)
        {
            throw new TunerException($"{path} cannot be read as a story: {unreadable.Message}");
        }
    }
}

/// <summary>The shape of a story in JSON, made at build.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(StoryRun))]
internal sealed partial class StoryJson : JsonSerializerContext;
