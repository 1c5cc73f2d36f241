using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Harness.Proxies;
using Larder.Tuner.Processes;

namespace Larder.Lab.Near;

/// <summary>One process of a run: an agent with its client, and a separate proxy to each server.</summary>
internal sealed class NearProcess : IAsyncDisposable
{
    private readonly AgentProcess _agent;

    private NearProcess(AgentProcess agent, string language, int index, IReadOnlyList<FaultProxy> ways)
    {
        (_agent, Language, Index, Ways) = (agent, language, index, ways);
    }

    /// <summary>Gets the language of the process's client.</summary>
    public string Language { get; }

    /// <summary>Gets the index of the process among the writing processes; -1 if the process only reads.</summary>
    public int Index { get; }

    /// <summary>Gets whether the process writes.</summary>
    public bool Writes => Index >= 0;

    /// <summary>Gets the name of the process in tables.</summary>
    public string Name => $"{Language}, {(Writes ? "writes" : "reads")}";

    /// <summary>Gets the proxies between the process and its servers.</summary>
    public IReadOnlyList<FaultProxy> Ways { get; }

    /// <summary>Starts the agent and opens its client.</summary>
    /// <param name="language">The language of the client.</param>
    /// <param name="index">The value of <see cref="Index"/>.</param>
    /// <param name="endpoints">The servers.</param>
    /// <param name="open">Additional fields of the request that opens the client.</param>
    public static Task<NearProcess> StartAsync(string language, int index, IReadOnlyList<string> endpoints, JsonObject open)
    {
        List<FaultProxy> ways = [.. endpoints.Select(static endpoint => new FaultProxy(endpoint))];
        return OpenAsync(language, index, ways, [.. ways.Select(static way => way.Endpoint)], open);
    }

    /// <summary>Starts a process without proxies.</summary>
    public static Task<NearProcess> StartDirectAsync(string language, int index, IReadOnlyList<string> endpoints, JsonObject open) =>
        OpenAsync(language, index, [], endpoints, open);

    /// <summary>Waits until each process has written its keys, and then starts the runs of all processes together.</summary>
    public static async Task GoAsync(IReadOnlyCollection<NearProcess> processes)
    {
        await Task.WhenAll(processes.Select(static process => process.ActAsync("filled"))).ConfigureAwait(false);
        await Task.WhenAll(processes.Select(static process => process.ActAsync("go"))).ConfigureAwait(false);
    }

    /// <summary>Sends a request to the agent and returns the response. Throws if the response is an error.</summary>
    public Task<JsonObject> AskAsync(JsonObject request) => _agent.RequireAsync(request);

    /// <summary>Performs an action in the current run.</summary>
    public Task<JsonObject> ActAsync(string what) => AskAsync(new JsonObject { ["op"] = "nearAct", ["what"] = what });

    /// <summary>Returns the statistics of the process's near cache.</summary>
    public async Task<NearFigures> FiguresAsync()
    {
        JsonObject stats = await AskAsync(new JsonObject { ["op"] = "stats", ["collect"] = false }).ConfigureAwait(false);
        return NearFigures.From(stats["near"]);
    }

    /// <summary>Sends SIGSTOP and waits until the process has stopped.</summary>
    public void Pause() => _agent.Pause();

    /// <summary>Sends SIGCONT.</summary>
    public void Resume() => _agent.Resume();

    /// <summary>Stops all data between the process and its servers, in both directions, without closing connections.</summary>
    public void Cut()
    {
        foreach (FaultProxy way in Ways)
        {
            way.IsCut = true;
        }
    }

    /// <summary>Ends <see cref="Cut"/>. Resets the connections, because they may have lost data, and lets data pass again.</summary>
    public void Reconnect()
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
