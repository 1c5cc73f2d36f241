using System.Text.Json.Nodes;
using Larder.Harness;
using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Conformance;

/// <summary>Counts the factory calls when 1,000 callers in four processes request one missing key. On an engine, the processes use two gateways.</summary>
/// <param name="commands">The agents, distributed round-robin over the four processes.</param>
internal sealed class StampedeRun(IReadOnlyList<ProgramCommand> commands, string transport, ServerPool servers, Report report)
{
    /// <summary>The rules under which the verdicts are reported.</summary>
    public const string Rule = "GOC";

    private const int Processes = 4;
    private const int Callers = 1_000;
    private const int MakesMs = 200;
    private const int LongLeaseMs = 30_000;

    // The duration of a lease. It is longer than a factory takes to load the value, but short enough for a test.
    private const int LeaseMs = 1_000;

    private readonly string _name = $"{string.Join('+', commands.Select(static each => each.Name))}-{transport}";

    /// <summary>Runs the test and reports the verdicts of both rules.</summary>
    public async Task AllAsync()
    {
        await JudgeAsync("GOC-1", "if 1,000 callers in four processes request one missing key, the key is loaded once", OneLoadAsync).ConfigureAwait(false);
        await JudgeAsync("GOC-2", "after the loading process is killed, another process loads the value once", KilledAsync).ConfigureAwait(false);
    }

    private async Task JudgeAsync(string rule, string what, Func<IReadOnlyList<AgentProcess>, Task<string?>> ask)
    {
        Case verdict = new("get-or-set", rule, what, [], [], []);
        List<AgentProcess> agents = [];
        try
        {
            for (int i = 0; i < Processes; i++)
            {
                agents.Add(await OpenAsync(commands[i % commands.Count], servers.AreGateways ? i % 2 : 0).ConfigureAwait(false));
            }

            if (await ask(agents).ConfigureAwait(false) is { } broken)
            {
                report.Fail(_name, verdict, broken);
            }
            else
            {
                report.Pass(_name, verdict);
            }
        }
        catch (HarnessException e)
        {
            report.Fail(_name, verdict, e.Message);
        }
        finally
        {
            foreach (AgentProcess agent in agents)
            {
                await agent.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private async Task<string?> OneLoadAsync(IReadOnlyList<AgentProcess> agents)
    {
        string key = $"cold-{_name}";
        await agents[0].RequireAsync(new JsonObject { ["op"] = "delete", ["key"] = key }).ConfigureAwait(false);
        JsonObject[] answers = await Task.WhenAll(agents.Select((agent, i) => agent.RequireAsync(Asking(key, i, MakesMs, LongLeaseMs)))).ConfigureAwait(false);
        return await FaultAsync(agents, answers).ConfigureAwait(false);
    }

    private async Task<string?> KilledAsync(IReadOnlyList<AgentProcess> agents)
    {
        string key = $"killed-{_name}";
        AgentProcess killed = agents[0];
        await killed.RequireAsync(new JsonObject { ["op"] = "delete", ["key"] = key }).ConfigureAwait(false);
        Task<JsonObject> lost = killed.RequireAsync(Asking(key, 0, makesMs: 600_000, LeaseMs));
        while (await MadeAsync(killed).ConfigureAwait(false) == 0)
        {
            await Task.Delay(10).ConfigureAwait(false);
        }

        AgentProcess[] others = [.. agents.Skip(1)];
        Task<JsonObject[]> asked = Task.WhenAll(others.Select((agent, i) => agent.RequireAsync(Asking(key, i + 1, MakesMs, LeaseMs))));
        killed.Kill();
        try
        {
            await lost.ConfigureAwait(false);
        }
        catch (HarnessException)
        {
            // This request can fail because its agent was killed.
        }

        return await FaultAsync(others, await asked.ConfigureAwait(false)).ConfigureAwait(false);
    }

    private static async Task<string?> FaultAsync(IReadOnlyList<AgentProcess> agents, JsonObject[] answers)
    {
        int[] made = await Task.WhenAll(agents.Select(MadeAsync)).ConfigureAwait(false);
        string[] values = [.. answers.SelectMany(static answer => answer["values"]!.AsArray()).Select(static each => (string)each!["value"]!).Distinct()];
        return made.Sum() == 1 && values.Length == 1 && values[0] == $"made by {Array.IndexOf(made, 1) + (Processes - agents.Count)}"
            ? null
            : $"factories run by process: {string.Join(", ", made)}; values: {string.Join(", ", values)}";
    }

    private static async Task<int> MadeAsync(AgentProcess agent) =>
        (int)(await agent.RequireAsync(new JsonObject { ["op"] = "made" }).ConfigureAwait(false))["made"]!;

    private static JsonObject Asking(string key, int process, int makesMs, int leaseMs) => new()
    {
        ["op"] = "getOrSet",
        ["key"] = key,
        ["value"] = $"made by {process}",
        ["callers"] = Callers / Processes,
        ["makesMs"] = makesMs,
        ["leaseMs"] = leaseMs,
    };

    private async Task<AgentProcess> OpenAsync(ProgramCommand command, int gateway)
    {
        AgentProcess agent = await AgentProcess.StartAsync(command, Run.Patience).ConfigureAwait(false);
        string endpoint = await servers.EndpointAsync([], gateway).ConfigureAwait(false);
        JsonObject open = new() { ["op"] = "open", ["endpoint"] = endpoint, ["requestTimeoutMs"] = 20_000 };
        TransportMode.Set(open, transport);
        await agent.RequireAsync(open).ConfigureAwait(false);
        return agent;
    }
}
