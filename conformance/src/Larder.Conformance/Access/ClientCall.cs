using System.Text.Json;
using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>A call of the table of operations as clients make it.</summary>
/// <param name="Op">Its name, which agents know.</param>
/// <param name="Rpc">The rpc that it is.</param>
/// <param name="Needs">The role that it needs in its cache.</param>
/// <param name="IsOfTopics">Whether it needs that on the cache's topics, and not on its items.</param>
internal sealed record ClientCall(string Op, string Rpc, AccessRole Needs, bool IsOfTopics)
{
    /// <summary>Reads <c>roles.json</c>, which is written from the table, beside the vectors' folder.</summary>
    /// <exception cref="InvalidDataException">It is not there, or not what it should be.</exception>
    public static IReadOnlyList<ClientCall> Load(string vectorsFolder)
    {
        string path = Path.Combine(vectorsFolder, "../roles.json");
        try
        {
            JsonArray calls = JsonNode.Parse(File.ReadAllText(path))!["calls"]!.AsArray();
            return [.. calls.Select(static call => new ClientCall(Text(call, "op"), Text(call, "rpc"), Role(call), Text(call, "of") == "topics"))];
        }
        catch (Exception e) when (e is IOException or JsonException or InvalidOperationException or NullReferenceException or ArgumentException)
        {
            throw new InvalidDataException($"{path}: {e.Message}", e);
        }
    }

    private static AccessRole Role(JsonNode? call) => Enum.Parse<AccessRole>(Text(call, "role"), ignoreCase: true);

    private static string Text(JsonNode? call, string field) => call![field]!.GetValue<string>();
}
