using System.Text.Json;
using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>Reads the cases from a folder that contains one file for each page of the specification.</summary>
internal static class Vectors
{
    private static readonly HashSet<string> s_known = ["rule", "case", "given", "when", "then", "open", "server", "transports", "stores"];

    // A placeholder in server arguments. It stands for the folder of the vectors.
    private const string Folder = "{vectors}";

    /// <summary>Returns every case of every file, in the order of the file names.</summary>
    /// <exception cref="InvalidDataException">A file is invalid; the message names it.</exception>
    public static IReadOnlyList<Case> Load(string folder)
    {
        string[] files = Directory.GetFiles(folder, "*.json").Order(StringComparer.Ordinal).ToArray();
        if (files.Length == 0)
        {
            throw new InvalidDataException($"the folder {folder} contains no test vectors (*.json); pass another folder with --vectors");
        }

        return [.. files.SelectMany(LoadFile)];
    }

    private static List<Case> LoadFile(string path)
    {
        string file = Path.GetFileNameWithoutExtension(path);
        try
        {
            string folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
            var cases = JsonNode.Parse(File.ReadAllText(path))!.AsArray().Select(node => Read(folder, file, node!.AsObject())).ToList();
            return cases.DistinctBy(each => each.Name).Count() == cases.Count
                ? cases
                : throw new InvalidDataException($"{path}: two cases have the same name");
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or NullReferenceException)
        {
            throw new InvalidDataException($"{path}: {e.Message}", e);
        }
    }

    private static Case Read(string folder, string file, JsonObject json)
    {
        if (json.FirstOrDefault(field => !s_known.Contains(field.Key)).Key is { } unknown)
        {
            throw new InvalidDataException($"{file}: unknown field \"{unknown}\"");
        }

        return new Case(
            file,
            json["rule"]!.GetValue<string>(),
            json["case"]!.GetValue<string>(),
            [.. json["given"]!.AsArray().Select(step => step!.AsObject())],
            json["when"]!.AsObject(),
            json["then"]!.AsObject())
        {
            Open = json["open"]?.AsObject(),
            Server = [.. Texts(json["server"]).Select(each => each.Replace(Folder, folder, StringComparison.Ordinal))],
            Transports = Texts(json["transports"]),
            Stores = Texts(json["stores"]),
        };
    }

    private static IReadOnlyList<string> Texts(JsonNode? array) =>
        array is null ? [] : [.. array.AsArray().Select(each => each!.GetValue<string>())];
}
