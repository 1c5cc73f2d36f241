using System.Text.Json;
using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>A call of the table of operations that clients can make.</summary>
/// <param name="Op">The name of the operation in the agent protocol.</param>
/// <param name="Rpc">The name of the rpc.</param>
/// <param name="Needs">The role that the call requires in its cache.</param>
/// <param name="IsOfTopics">Whether the role is required on the topics of the cache instead of its items.</param>
internal sealed record ClientCall(string Op, string Rpc, AccessRole Needs, bool IsOfTopics)
{
    /// <summary>Reads <c>roles.json</c> from the parent of the vectors' folder. This file is generated from the table of operations.</summary>
    /// <exception cref="InvalidDataException">The file is missing or invalid.</exception>
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
