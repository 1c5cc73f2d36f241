using System.Text.Json;
using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>A run as JSON.</summary>
internal static class TuneRunFile
{
    /// <summary>The run's text.</summary>
    public static string Write(TuneRun run) => JsonSerializer.Serialize(run, TuneRunJson.Default.TuneRun) + "\n";

    /// <summary>Reads a run's text; <paramref name="name"/> is what a message calls it.</summary>
    /// <exception cref="RunFileException">It is no run, or one of a version that this program does not know.</exception>
    public static TuneRun Parse(string text, string name)
    {
        try
        {
            using var document = JsonDocument.Parse(text);
            if (
                document.RootElement.ValueKind != JsonValueKind.Object
                || !document.RootElement.TryGetProperty("version", out JsonElement version)
                || version.ValueKind != JsonValueKind.Number)
            {
                throw new RunFileException($"{name} is no run of the tuner: it has no version");
            }

            if (version.GetDouble() is not (TuneRun.OldestVersion or TuneRun.CurrentVersion))
            {
                throw new RunFileException($"{name} is of version {version}; this program reads versions {TuneRun.OldestVersion} to {TuneRun.CurrentVersion}");
            }

            TuneRun run = document.Deserialize(TuneRunJson.Default.TuneRun)!;
            // Older files have none.
            return run with { Rates = run.Rates ?? [] };
        }
        catch (JsonException wrong)
        {
            throw new RunFileException($"{name} is no run of the tuner: {wrong.Message}");
        }
    }

    /// <summary>Reads a file.</summary>
    /// <exception cref="RunFileException">It cannot be read, or is no run.</exception>
    public static TuneRun Read(string path)
    {
        try
        {
            return Parse(File.ReadAllText(path), path);
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException)
        {
            throw new RunFileException($"{path} cannot be read: {unreadable.Message}");
        }
    }
}

/// <summary>The shape of a run in JSON, made at build.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(TuneRun))]
internal sealed partial class TuneRunJson : JsonSerializerContext;
