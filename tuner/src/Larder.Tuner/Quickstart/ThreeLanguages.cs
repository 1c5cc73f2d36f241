using System.Text.Json.Nodes;
using Larder.Harness;
using Larder.Harness.Agents;
using Larder.Harness.Processes;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Quickstart;

/// <summary>
/// Shows the three clients with one server. A value is set in each language and read in the others. If the client of a language cannot start, the reason is
/// reported.
/// </summary>
internal sealed class ThreeLanguages : IAsyncDisposable
{
    private static readonly (string Client, string Name)[] s_languages = [("dotnet", ".NET"), ("python", "Python"), ("node", "Node")];

    private readonly List<(string Name, AgentProcess Agent)> _agents = [];
    private readonly List<string> _missing = [];

    private ThreeLanguages()
    {
    }

    /// <summary>
    /// Starts the available clients and connects each of them to <paramref name="endpoint"/>. <paramref name="commandOf"/> returns the command of an agent. By
    /// default, the tuner's own agents are used.
    /// </summary>
    public static async Task<ThreeLanguages> ConnectAsync(string endpoint, Func<string, ProgramCommand>? commandOf = null)
    {
        var languages = new ThreeLanguages();
        foreach ((string? client, string? name) in s_languages)
        {
            try
            {
                languages._agents.Add((name, await OpenAsync(client, (commandOf ?? Agents.OfClient)(client), endpoint).ConfigureAwait(false)));
            }
            catch (HarnessException missing)
            {
                // The last line of the message is the cause, such as a missing Python module. The lines before it are the traceback.
                languages._missing.Add($"{name} is skipped: {missing.Message.Split('\n')[^1].Trim()}");
            }
        }

        return languages;
    }

    /// <summary>Sets a value in each language and reads it in the other languages. Returns one line of text per language.</summary>
    public async Task<IReadOnlyList<string>> ShowAsync()
    {
        List<string> lines = [];
        foreach ((string? name, AgentProcess? agent) in _agents)
        {
            string key = $"hello-from-{name}";
            await agent
                .RequireAsync(
                    new JsonObject
                    {
                        ["op"] = "set",
                        ["key"] = key,
                        ["value"] = $"hello from {name}",
                        ["ttlMs"] = 60_000,
                    })
                .ConfigureAwait(false);
            List<string> reads = [];
            foreach ((string? reader, AgentProcess? other) in _agents.Where(other => other.Name != name))
            {
                JsonObject answer = await other.RequireAsync(new JsonObject { ["op"] = "get", ["key"] = key }).ConfigureAwait(false);
                reads.Add($"{reader} reads \"{answer["value"] ?? answer["result"]}\"");
            }

            lines.Add($"{name,-6} sets {key,-17} → {(reads.Count == 0 ? "nobody else is here" : string.Join(", ", reads))}");
        }

        return [.. lines, .. _missing];
    }

    private static async Task<AgentProcess> OpenAsync(string client, ProgramCommand command, string endpoint)
    {
        AgentProcess agent = await AgentProcess.StartAsync(command).ConfigureAwait(false);
        try
        {
            await agent.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = endpoint }).ConfigureAwait(false);
        }
        catch (HarnessException)
        {
            await agent.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        return agent;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach ((string _, AgentProcess? agent) in _agents)
        {
            await agent.DisposeAsync().ConfigureAwait(false);
        }
    }
}
