using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Harness.Processes;
using Larder.Tuner.Processes;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>Measures the duration of a near-cache hit and of a hit in alternative libraries, alternately.</summary>
internal static class NearHitsBench
{
    private const int Keys = 1_000;
    private const int ValueBytes = 100;

    public static async Task<NearSection> RunAsync(int turns, double seconds, Action<string> say)
    {
        IReadOnlyList<NearHitsRow> rows = NearHitsRow.All();
        await using NearMemory server = await NearMemory.StartAsync().ConfigureAwait(false);
        Dictionary<string, AgentProcess> agents = [];
        try
        {
            foreach (string language in Agents.Clients)
            {
                agents[language] = await OpenAsync(Agents.OfClient(language), server.Endpoint).ConfigureAwait(false);
            }

            agents["caches"] = await OpenAsync(LabAgents.OfBareCaches(), server.Endpoint).ConfigureAwait(false);
            for (int turn = 0; turn < turns; turn++)
            {
                foreach (NearHitsRow row in turn % 2 == 0 ? rows : rows.Reverse())
                {
                    AgentProcess agent = agents[row is { Language: "dotnet", IsNear: false } ? "caches" : row.Language];
                    if (await MeasureAsync(agent, row, seconds).ConfigureAwait(false) is { } answer)
                    {
                        row.Add(answer);
                        say(Say($"round {turn + 1} of {turns}, {row.Language} {row.What}: {(double)answer["nsPerHit"]!:0} ns per hit"));
                    }
                }
            }
        }
        finally
        {
            foreach (AgentProcess agent in agents.Values)
            {
                await agent.DisposeAsync().ConfigureAwait(false);
            }
        }

        string about =
            Say($"- one caller, sequential hits on {Keys:N0} keys with values of {ValueBytes} bytes; medians of {turns} alternating rounds of {seconds} s");
        return new NearSection("Duration of a near-cache hit", [about, "", .. NearHitsRow.Head, .. rows.Select(static row => row.Line())]);
    }

    private static async Task<AgentProcess> OpenAsync(ProgramCommand command, string endpoint)
    {
        AgentProcess agent = await AgentProcess.StartAsync(command).ConfigureAwait(false);
        await agent.RequireAsync(new JsonObject
        {
            ["op"] = "open",
            ["endpoint"] = endpoint,
            ["transport"] = "pipeline",
            ["nearCacheBytes"] = 64 << 20,
        }).ConfigureAwait(false);
        return agent;
    }

    private static async Task<JsonObject?> MeasureAsync(AgentProcess agent, NearHitsRow row, double seconds)
    {
        JsonObject request = new() { ["op"] = "nearHits", ["what"] = row.What, ["keys"] = Keys, ["valueBytes"] = ValueBytes, ["seconds"] = seconds };
        JsonObject answer = await agent.AskAsync(request).ConfigureAwait(false);
        bool isMissing = (string?)answer["error"]?["code"] == "Unsupported";
        return (string?)answer["result"] == "success" ? answer
            : isMissing ? null
            : throw new TunerException($"{row.Language} {row.What}: {answer["error"]?["message"]}");
    }
}
