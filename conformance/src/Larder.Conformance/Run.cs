using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Harness;
using Larder.Harness.Agents;

namespace Larder.Conformance;

/// <summary>Runs every case through one agent over one transport.</summary>
internal sealed class Run(AgentProcess agent, string run, string transport, ServerPool servers, Report report)
{
    /// <summary>The timeout of an agent's answer. The longest call of the vectors takes a second.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    // The maximum number of concurrent cases. Cases can run concurrently, because they use different keys. Only large cases run alone.
    private const int SideBySide = 16;

    public async Task AllAsync(IReadOnlyList<Case> cases)
    {
        var mine = cases.Where(each => each.AppliesTo(TransportMode.TransportOf(transport))).ToList();
        var shared = mine.Where(each => each.Open is null && each.Server.Count == 0).ToList();
        if (shared.Count > 0)
        {
            await SharedAsync(shared).ConfigureAwait(false);
        }

        await SideBySideAsync(mine.Except(shared), OwnAsync).ConfigureAwait(false);
    }

    private async Task SharedAsync(List<Case> cases)
    {
        try
        {
            await using NamedClient client = await OpenAsync(run, [], [], $"vectors-{run}").ConfigureAwait(false);
            // The cache may exist from an earlier run against the same endpoint.
            await client.AskAsync(new JsonObject { ["op"] = "deleteCache", ["cache"] = $"vectors-{run}" }).ConfigureAwait(false);
            await client.RequireAsync(new JsonObject { ["op"] = "createCache", ["cache"] = $"vectors-{run}" }).ConfigureAwait(false);
            foreach (IGrouping<bool, Case> group in cases.Where(vector => !vector.IsLarge).GroupBy(vector => vector.UsesLeases).OrderBy(group => group.Key))
            {
                await SideBySideAsync(group, vector => JudgeAsync(vector, client)).ConfigureAwait(false);
            }

            foreach (Case large in cases.Where(vector => vector.IsLarge))
            {
                await JudgeAsync(large, client).ConfigureAwait(false);
            }
        }
        catch (HarnessException e)
        {
            cases.ForEach(vector => report.Fail(run, vector, e.Message));
        }
    }

    private async Task OwnAsync(Case vector)
    {
        if (vector.Server.Count > 0 && !servers.CanStart)
        {
            report.Skip(run, vector, "the server was passed with --endpoint and cannot be restarted with other options");
            return;
        }

        try
        {
            JsonObject open = new Substitution(run).Fill(vector.Open ?? []);
            await using NamedClient client = await OpenAsync($"{run}: {vector.File}: {vector.Name}", open, vector.Server, "cache").ConfigureAwait(false);
            await JudgeAsync(vector, client).ConfigureAwait(false);
        }
        catch (HarnessException e)
        {
            report.Fail(run, vector, e.Message);
        }
    }

    private async Task<NamedClient> OpenAsync(string named, JsonObject open, IReadOnlyList<string> server, string cache)
    {
        open["endpoint"] = await servers.EndpointAsync(server).ConfigureAwait(false);
        TransportMode.Set(open, transport);
        open["cache"] = cache;
        open["requestTimeoutMs"] ??= 20_000;
        return await NamedClient.OpenAsync(agent, named, open).ConfigureAwait(false);
    }

    private static Task SideBySideAsync(IEnumerable<Case> cases, Func<Case, Task> judge) => Parallel.ForEachAsync(
        cases,
        new ParallelOptions { MaxDegreeOfParallelism = SideBySide },
        async (vector, _) => await judge(vector).ConfigureAwait(false));

    private async Task JudgeAsync(Case vector, IAgent agent)
    {
        long began = Stopwatch.GetTimestamp();
        try
        {
            if (await CaseRunner.RunAsync(vector, agent, run).ConfigureAwait(false) is { } broken)
            {
                report.Fail(run, vector, broken);
            }
            else
            {
                report.Pass(run, vector, Stopwatch.GetElapsedTime(began));
            }
        }
        catch (HarnessException e)
        {
            report.Fail(run, vector, e.Message);
        }
    }
}
