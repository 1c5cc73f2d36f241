using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Harness.Proxies;
using Larder.Tuner.Processes;

namespace Larder.Lab.Near;

/// <summary>One process of a run: a client's agent, and a way of its own to each server.</summary>
internal sealed class NearProcess : IAsyncDisposable
{
    private readonly AgentProcess _agent;

    private NearProcess(AgentProcess agent, string language, int index, IReadOnlyList<FaultProxy> ways)
    {
        (_agent, Language, Index, Ways) = (agent, language, index, ways);
    }

    /// <summary>The language of its client.</summary>
    public string Language { get; }

    /// <summary>Which of the writing processes it is; -1: it only reads.</summary>
    public int Index { get; }

    /// <summary>Whether it writes.</summary>
    public bool Writes => Index >= 0;

    /// <summary>Its name in tables.</summary>
    public string Name => $"{Language}, {(Writes ? "writes" : "reads")}";

    /// <summary>Its ways to the servers.</summary>
    public IReadOnlyList<FaultProxy> Ways { get; }

    /// <summary>Starts its agent and opens its client.</summary>
    /// <param name="language">The client's.</param>
    /// <param name="index">As <see cref="Index"/>.</param>
    /// <param name="endpoints">The servers.</param>
    /// <param name="open">More of the request that opens the client.</param>
    public static Task<NearProcess> StartAsync(string language, int index, IReadOnlyList<string> endpoints, JsonObject open)
    {
        List<FaultProxy> ways = [.. endpoints.Select(static endpoint => new FaultProxy(endpoint))];
        return OpenAsync(language, index, ways, [.. ways.Select(static way => way.Endpoint)], open);
    }

    /// <summary>The same with nothing between it and the servers.</summary>
    public static Task<NearProcess> StraightAsync(string language, int index, IReadOnlyList<string> endpoints, JsonObject open) =>
        OpenAsync(language, index, [], endpoints, open);

    /// <summary>Lets the runs of processes that hold begin together, once each has written its keys.</summary>
    public static async Task GoAsync(IReadOnlyCollection<NearProcess> processes)
    {
        await Task.WhenAll(processes.Select(static process => process.ActAsync("filled"))).ConfigureAwait(false);
        await Task.WhenAll(processes.Select(static process => process.ActAsync("go"))).ConfigureAwait(false);
    }

    /// <summary>Sends its agent a request; its answer, which is no error.</summary>
    public Task<JsonObject> AskAsync(JsonObject request) => _agent.DemandAsync(request);

    /// <summary>Does something in the run that is under way.</summary>
    public Task<JsonObject> ActAsync(string what) => AskAsync(new JsonObject { ["op"] = "nearAct", ["what"] = what });

    /// <summary>The figures of its near cache.</summary>
    public async Task<NearFigures> FiguresAsync()
    {
        JsonObject stats = await AskAsync(new JsonObject { ["op"] = "stats", ["collect"] = false }).ConfigureAwait(false);
        return NearFigures.From(stats["near"]);
    }

    /// <summary>Stops it by SIGSTOP; it stands still afterwards.</summary>
    public void Pause() => _agent.Pause();

    /// <summary>Lets it go on.</summary>
    public void Resume() => _agent.Resume();

    /// <summary>Lets nothing pass any more, either way, and closes nothing.</summary>
    public void Cut()
    {
        foreach (FaultProxy way in Ways)
        {
            way.IsCut = true;
        }
    }

    /// <summary>Lets things pass again; connections that lost something are reset.</summary>
    public void Mend()
    {
        foreach (FaultProxy way in Ways)
        {
            way.ResetAll();
            way.IsCut = false;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _agent.DisposeAsync().ConfigureAwait(false);
        foreach (FaultProxy way in Ways)
        {
            await way.DisposeAsync().ConfigureAwait(false);
        }
    }

    private static async Task<NearProcess> OpenAsync(
        string language,
        int index,
        IReadOnlyList<FaultProxy> ways,
        IReadOnlyList<string> endpoints,
        JsonObject open)
    {
        NearProcess process = new(await AgentProcess.StartAsync(Agents.OfClient(language)).ConfigureAwait(false), language, index, ways);
        try
        {
            open["op"] = "open";
            open["endpoint"] = string.Join(',', endpoints);
            await process.AskAsync(open).ConfigureAwait(false);
            return process;
        }
        catch
        {
            await process.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
