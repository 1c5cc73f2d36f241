using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Harness;
using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Conformance;

/// <summary>Runs every case through one agent over one transport.</summary>
internal sealed class Run(ProgramCommand command, string transport, ServerPool servers, Report report)
{
    /// <summary>The timeout of an agent's answer. The longest call of the vectors takes a second.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    // The maximum number of concurrent cases that share an agent, and of concurrent cases with their own agent. Cases can run concurrently, because they use
    // different keys. Only large cases run alone. The limit for cases with their own agent is lower, because each of these cases starts a process.
    private const int SideBySide = 16;
    private const int OwnAgentsSideBySide = 3;

    private readonly string _name = $"{command.Name}-{transport}";

    public async Task AllAsync(IReadOnlyList<Case> cases)
    {
        var mine = cases.Where(each => each.AppliesTo(TransportMode.TransportOf(transport))).ToList();
        var shared = mine.Where(each => each.Open is null && each.Server.Count == 0).ToList();
        var own = mine.Except(shared).ToList();
        if (shared.Count > 0)
        {
            await SharedAsync(shared).ConfigureAwait(false);
        }

        await Parallel.ForEachAsync(
            own,
            new ParallelOptions { MaxDegreeOfParallelism = OwnAgentsSideBySide },
            async (vector, _) => await OwnAsync(vector).ConfigureAwait(false)).ConfigureAwait(false);
    }

    private async Task SharedAsync(List<Case> cases)
    {
        AgentProcess? agent = null;
        try
        {
            agent = await OpenAsync(new JsonObject(), [], makeCache: true).ConfigureAwait(false);
            foreach (IGrouping<bool, Case> group in cases.Where(vector => !vector.IsLarge).GroupBy(vector => vector.UsesLeases).OrderBy(group => group.Key))
            {
                await Parallel.ForEachAsync(
                    group,
                    new ParallelOptions { MaxDegreeOfParallelism = SideBySide },
                    async (vector, _) => await JudgeAsync(vector, agent).ConfigureAwait(false)).ConfigureAwait(false);
            }

            foreach (Case large in cases.Where(vector => vector.IsLarge))
            {
                await JudgeAsync(large, agent).ConfigureAwait(false);
            }
        }
        catch (HarnessException e)
        {
            cases.ForEach(vector => report.Fail(_name, vector, e.Message));
        }
        finally
        {
            if (agent is not null)
            {
                await agent.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private async Task OwnAsync(Case vector)
    {
        if (vector.Server.Count > 0 && !servers.CanStart)
        {
            report.Skip(_name, vector, "the server was passed with --endpoint and cannot be restarted with other options");
            return;
        }

        AgentProcess? agent = null;
        try
        {
            JsonObject open = new Substitution(_name).Fill(vector.Open ?? []);
            agent = await OpenAsync(open, vector.Server, makeCache: false).ConfigureAwait(false);
            await JudgeAsync(vector, agent).ConfigureAwait(false);
        }
        catch (HarnessException e)
        {
            report.Fail(_name, vector, e.Message);
        }
        finally
        {
            if (agent is not null)
            {
                await agent.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private async Task<AgentProcess> OpenAsync(JsonObject open, IReadOnlyList<string> server, bool makeCache)
    {
        string endpoint = await servers.EndpointAsync(server).ConfigureAwait(false);
        AgentProcess agent = await AgentProcess.StartAsync(command, Patience).ConfigureAwait(false);
        open["op"] = "open";
        open["endpoint"] = endpoint;
        TransportMode.Set(open, transport);
        open["cache"] = makeCache ? $"vectors-{_name}" : "cache";
        open["requestTimeoutMs"] ??= 20_000;
        await MustAsync(agent, open).ConfigureAwait(false);
        if (makeCache)
        {
            // The cache may exist from an earlier run against the same endpoint.
            await agent.AskAsync(new JsonObject { ["op"] = "deleteCache", ["cache"] = $"vectors-{_name}" }).ConfigureAwait(false);
            await MustAsync(agent, new JsonObject { ["op"] = "createCache", ["cache"] = $"vectors-{_name}" }).ConfigureAwait(false);
        }

        return agent;
    }

    private static async Task MustAsync(AgentProcess agent, JsonObject request)
    {
        JsonObject answer = await agent.AskAsync(request).ConfigureAwait(false);
        if (answer["result"]?.GetValue<string>() != "success")
        {
            await agent.DisposeAsync().ConfigureAwait(false);
            throw new HarnessException($"the setup call {request["op"]} failed; the agent returned {answer.ToJsonString()}");
        }
    }

    private async Task JudgeAsync(Case vector, IAgent agent)
    {
        long began = Stopwatch.GetTimestamp();
        try
        {
            if (await CaseRunner.RunAsync(vector, agent, _name).ConfigureAwait(false) is { } broken)
            {
                report.Fail(_name, vector, broken);
            }
            else
            {
                report.Pass(_name, vector, Stopwatch.GetElapsedTime(began));
            }
        }
        catch (HarnessException e)
        {
            report.Fail(_name, vector, e.Message);
        }
    }
}
