using System.Text.Json;
using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>Reads and writes runs as JSON.</summary>
internal static class TuneRunFile
{
    public static string Write(TuneRun run) => JsonSerializer.Serialize(run, TuneRunJson.Default.TuneRun) + "\n";

    /// <summary>Parses a run. <paramref name="name"/> identifies the run in error messages.</summary>
    /// <exception cref="RunFileException">The text is not a run, or its version is unknown.</exception>
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
                throw new RunFileException($"{name} is not a run of the tuner, because it has no version number");
            }

            if (version.GetDouble() is not (TuneRun.OldestVersion or TuneRun.CurrentVersion))
            {
                throw new RunFileException(
                    $"{name} has version {version}, but this program only supports versions {TuneRun.OldestVersion} to {TuneRun.CurrentVersion}; use the "
                        + "program that wrote the file");
            }

            TuneRun run = document.Deserialize(TuneRunJson.Default.TuneRun)!;
            // Files of older versions have no field for the rates, so the list is null after deserialization.
            return run with { Rates = run.Rates ?? [] };
        }
        catch (JsonException wrong)
        {
            throw new RunFileException($"{name} is not a run of the tuner: {wrong.Message}");
        }
    }

    /// <summary>Reads a run file.</summary>
    /// <exception cref="RunFileException">The file cannot be read or is not a run.</exception>
    public static TuneRun Read(string path)
    {
        try
        {
            return Parse(File.ReadAllText(path), path);
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException)
        {
            throw new RunFileException($"cannot read {path}: {unreadable.Message}");
        }
    }
}

/// <summary>The JSON serialization of runs, generated at build time.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(TuneRun))]
internal sealed partial class TuneRunJson : JsonSerializerContext;
