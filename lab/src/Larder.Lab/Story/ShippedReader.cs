using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Tuner.Processes;

namespace Larder.Lab.Story;

/// <summary>Asks the agent of a client for the configurations that the client ships.</summary>
internal static class ShippedReader
{
    /// <summary>The configurations for the targets and networks of the story. Their version is fixed, so that their meaning never changes.</summary>
    private static readonly string[] s_names = ["laptop.v1", "inRegion.default.v1", "inRegion.lowLatency.v1"];

    /// <summary>Returns the concurrency limits of the configurations.</summary>
    public static async Task<IReadOnlyList<ShippedCaps>> ReadAsync(string client)
    {
        await using AgentProcess agent = await AgentProcess.StartAsync(Agents.OfClient(client)).ConfigureAwait(false);
        var caps = new List<ShippedCaps>();
        foreach (string name in s_names)
        {
            JsonObject answer = await agent.RequireAsync(new JsonObject { ["op"] = "configuration", ["configuration"] = name }).ConfigureAwait(false);
            JsonNode settings = answer["settings"]!;
            caps.Add(new(name, Number(settings["maxInFlightUnary"]), Number(settings["maxInFlightPipeline"])));
        }

        return caps;
    }

    private static int? Number(JsonNode? setting) => setting?.GetValueKind() == JsonValueKind.Number ? (int)setting : null;
}
