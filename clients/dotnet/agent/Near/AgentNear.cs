using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>The near cache operations: <c>near</c>, <c>nearAct</c> and <c>nearHits</c>.</summary>
internal sealed class AgentNear(CacheClient client, Cache cache)
{
    private NearRun? _run;

    /// <summary>Executes one operation. Returns null if this class does not implement the operation.</summary>
    /// <exception cref="AgentException">
    /// A field is invalid, <c>near</c> was requested while a run is in progress, or <c>nearAct</c> was requested while no run is in progress.
    /// </exception>
    public async Task<JsonObject?> TryExecuteAsync(string op, JsonElement line) => op switch
    {
        "near" => await RunAsync(line).ConfigureAwait(false),
        "nearAct" => await ActAsync(line.Text("what"), Volatile.Read(ref _run) ?? throw new AgentException("no near run is in progress")).ConfigureAwait(false),
        "nearHits" => await new NearHits(client, cache).RunAsync(line).ConfigureAwait(false),
        _ => null,
    };

    /// <summary>Returns the client's near cache statistics as JSON, or null if the client has no near cache.</summary>
    public static JsonObject? Figures(NearCacheStatistics? figures) => figures is null ? null : new JsonObject
    {
        ["hits"] = figures.Hits,
        ["kept"] = figures.Kept,
        ["invalidations"] = figures.Invalidations,
        ["clears"] = figures.Clears,
        ["poisoned"] = figures.Poisoned,
        ["evictions"] = figures.Evictions,
        ["copies"] = figures.Copies,
        ["bytes"] = figures.Bytes,
    };

    private async Task<JsonObject> RunAsync(JsonElement line)
    {
        using NearRun run = new(NearSettings.From(line), client, cache);
        if (Interlocked.CompareExchange(ref _run, run, null) is not null)
        {
            throw new AgentException("a near run is already in progress");
        }

        try
        {
            return await run.RunAsync().ConfigureAwait(false);
        }
        finally
        {
            Volatile.Write(ref _run, null);
        }
    }

    private async Task<JsonObject> ActAsync(string? what, NearRun run)
    {
        switch (what)
        {
            case "now": return run.Now();
            case "filled": await run.Filled.ConfigureAwait(false); return AgentAnswer.Result("success");
            case "go": run.Go(); return AgentAnswer.Result("success");
            case "lost": run.Check.Lose(); return AgentAnswer.Result("success");
            case "sweep": return await run.SweepAsync().ConfigureAwait(false);
            case "flush": return await FlushAsync().ConfigureAwait(false);
            default: throw new AgentException($"\"what\" must be now, filled, go, lost, sweep or flush, but is {what}");
        }
    }

    private async Task<JsonObject> FlushAsync()
    {
        long began = NearRun.NowNs();
        return await client.FlushCacheAsync(cache.Name).ConfigureAwait(false) is { Error: { } error }
            ? AgentAnswer.Failed(error)
            : AgentAnswer.Result("success").WithNumber("beganNs", began).WithNumber("endedNs", NearRun.NowNs());
    }
}
