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
        Case once = Verdict("GOC-1", "if 1,000 callers in four processes request one missing key, the key is loaded once");
        Case killed = Verdict("GOC-2", "after the loading process is killed, another process loads the value once");
        List<AgentProcess> agents = [];
        try
        {
            for (int i = 0; i < Processes; i++)
            {
                agents.Add(await AgentProcess.StartAsync(commands[i % commands.Count], Run.Patience).ConfigureAwait(false));
            }

            await JudgeAsync(once, agents, OneLoadAsync).ConfigureAwait(false);
            await JudgeAsync(killed, agents, clients => KilledAsync(agents[0], clients)).ConfigureAwait(false);
        }
        catch (HarnessException e)
        {
            report.Fail(_name, once, e.Message);
        }
        finally
        {
            foreach (AgentProcess agent in agents)
            {
                await agent.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private static Case Verdict(string rule, string what) => new("get-or-set", rule, what, [], [], []);

    private async Task JudgeAsync(Case verdict, List<AgentProcess> agents, Func<IReadOnlyList<NamedClient>, Task<string?>> ask)
    {
        List<NamedClient> clients = [];
        try
        {
            foreach ((int i, AgentProcess agent) in agents.Index())
            {
                clients.Add(await OpenAsync(agent, verdict.Rule, servers.AreGateways ? i % 2 : 0).ConfigureAwait(false));
            }

            if (await ask(clients).ConfigureAwait(false) is { } broken)
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
            foreach (NamedClient client in clients)
            {
                await client.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private async Task<string?> OneLoadAsync(IReadOnlyList<NamedClient> clients)
    {
        string key = $"cold-{_name}";
        await clients[0].RequireAsync(new JsonObject { ["op"] = "delete", ["key"] = key }).ConfigureAwait(false);
        IEnumerable<Task<JsonObject>> asked = clients.Select((client, i) => client.RequireAsync(Asking(key, i, MakesMs, LongLeaseMs)));
        JsonObject[] answers = await Task.WhenAll(asked).ConfigureAwait(false);
        return await FaultAsync(clients, answers).ConfigureAwait(false);
    }

    private async Task<string?> KilledAsync(AgentProcess loading, IReadOnlyList<NamedClient> clients)
    {
        string key = $"killed-{_name}";
        NamedClient killed = clients[0];
        await killed.RequireAsync(new JsonObject { ["op"] = "delete", ["key"] = key }).ConfigureAwait(false);
        Task<JsonObject> lost = killed.RequireAsync(Asking(key, 0, makesMs: 600_000, LeaseMs));
        while (await MadeAsync(killed).ConfigureAwait(false) == 0)
        {
            await Task.Delay(10).ConfigureAwait(false);
        }

        NamedClient[] others = [.. clients.Skip(1)];
        Task<JsonObject[]> asked = Task.WhenAll(others.Select((client, i) => client.RequireAsync(Asking(key, i + 1, MakesMs, LeaseMs))));
        loading.Kill();
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

    private static async Task<string?> FaultAsync(IReadOnlyList<NamedClient> clients, JsonObject[] answers)
    {
        int[] made = await Task.WhenAll(clients.Select(MadeAsync)).ConfigureAwait(false);
        string[] values = [.. answers.SelectMany(static answer => answer["values"]!.AsArray()).Select(static each => (string)each!["value"]!).Distinct()];
        return made.Sum() == 1 && values.Length == 1 && values[0] == $"made by {Array.IndexOf(made, 1) + (Processes - clients.Count)}"
            ? null
            : $"factories run by process: {string.Join(", ", made)}; values: {string.Join(", ", values)}";
    }

    private static async Task<int> MadeAsync(NamedClient client) =>
        (int)(await client.RequireAsync(new JsonObject { ["op"] = "made" }).ConfigureAwait(false))["made"]!;

    private static JsonObject Asking(string key, int process, int makesMs, int leaseMs) => new()
    {
        ["op"] = "getOrSet",
        ["key"] = key,
        ["value"] = $"made by {process}",
        ["callers"] = Callers / Processes,
        ["makesMs"] = makesMs,
        ["leaseMs"] = leaseMs,
    };

    private async Task<NamedClient> OpenAsync(AgentProcess agent, string named, int gateway)
    {
        string endpoint = await servers.EndpointAsync([], gateway).ConfigureAwait(false);
        JsonObject open = new() { ["endpoint"] = endpoint, ["requestTimeoutMs"] = 20_000 };
        TransportMode.Set(open, transport);
        return await NamedClient.OpenAsync(agent, named, open).ConfigureAwait(false);
    }
}
