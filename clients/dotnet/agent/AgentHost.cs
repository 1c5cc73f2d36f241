using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Larder.Agent;

/// <summary>
/// The agent's request loop, shared by the Larder client and the peers. It reads one JSON object per line and writes one JSON object per line. Requests run
/// concurrently: each starts as soon as it is read. See <c>conformance/AGENT.md</c>.
/// </summary>
internal sealed class AgentHost(
    string name, Func<JsonElement, Task<IAgentClient>> open, TextReader input, Stream output, Func<JsonElement, Task<JsonObject>>? configuration = null)
    : IDisposable
{
    /// <summary>The maximum number of concurrent requests. Further request lines are not read until a request ends.</summary>
    private const int MaxRequests = 10_000;

    private readonly SemaphoreSlim _room = new(MaxRequests);
    private readonly ConcurrentDictionary<long, CancellationTokenSource> _cancellations = new();
    private readonly Lock _writing = new();
    // The open clients by name. A client that was opened without a name is stored under "".
    private readonly ConcurrentDictionary<string, IAgentClient> _clients = new();
    private LoadItems? _items;
    private int _loading;

    /// <summary>
    /// Runs an agent on stdin and stdout until stdin ends, and returns the exit code. The agent of a peer passes null as <paramref name="configuration"/>.
    /// </summary>
    public static async Task<int> RunAsync(string name, Func<JsonElement, Task<IAgentClient>> open, Func<JsonElement, Task<JsonObject>>? configuration = null)
    {
        using var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false), false, 1 << 16);
        await using Stream output = Console.OpenStandardOutput();
        using var host = new AgentHost(name, open, input, output, configuration);
        await host.RunAsync().ConfigureAwait(false);
        return 0;
    }

    /// <summary>Executes requests until the input ends, then closes the clients.</summary>
    public async Task RunAsync()
    {
        Write(new JsonObject { ["ready"] = new JsonObject { ["agent"] = name, ["protocol"] = 1 } });
        while (await input.ReadLineAsync().ConfigureAwait(false) is { } line)
        {
            await _room.WaitAsync().ConfigureAwait(false);
            _ = AnswerAsync(line);
        }

        foreach (string client in _clients.Keys)
        {
            await CloseAsync(client).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _room.Dispose();

    private async Task AnswerAsync(string line)
    {
        long? id = null;
        JsonObject answer;
        try
        {
            using var request = JsonDocument.Parse(line);
            id = request.RootElement.Long("id") ?? throw new AgentException("the request has no id");
            string op = request.RootElement.Text("op") ?? throw new AgentException("the request has no op");
            answer = await ExecuteAsync(id.Value, op, request.RootElement).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // Any failure of a request becomes the request's response, and the agent continues.
        catch (Exception wrong)
#pragma warning restore CA1031
        {
            answer = Error((wrong as AgentException)?.Code ?? "AgentError", wrong.Message, wrong.InnerException?.Message);
        }

        answer.Insert(0, "id", id);
        Write(answer);
        _room.Release();
    }

    private async Task<JsonObject> ExecuteAsync(long id, string op, JsonElement request)
    {
        string named = request.Text("named") ?? "";
        switch (op)
        {
            case "open": return await OpenAsync(named, request).ConfigureAwait(false);
            case "configuration" when configuration is not null: return await configuration(request).ConfigureAwait(false);
            case "close": await CloseAsync(named).ConfigureAwait(false); return Success();
            case "stats": return Stats(Client(named), request.Flag("collect", true));
            case "load": return await LoadAsync(id, LoadSettings.From(request), Client(named)).ConfigureAwait(false);
            case "cancel": Cancel(request.Long("target") ?? throw new AgentException("target is missing")); return Success();
            default: return await OperateAsync(id, op, request, Client(named)).ConfigureAwait(false);
        }
    }

    private async Task<JsonObject> OpenAsync(string named, JsonElement request)
    {
        if (_clients.ContainsKey(named))
        {
            throw new AgentException("a client is already open; close it first");
        }

        IAgentClient client = _clients[named] = await open(request).ConfigureAwait(false);
        JsonObject answer = client.Describe();
        answer.Insert(0, "result", "success");
        answer["pid"] = Environment.ProcessId;
        return answer;
    }

    private async Task CloseAsync(string named)
    {
        if (_clients.TryRemove(named, out IAgentClient? client))
        {
            await client.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task<JsonObject> OperateAsync(long id, string op, JsonElement request, IAgentClient client)
    {
        using var cancellation = new CancellationTokenSource();
        _cancellations[id] = cancellation;
        try
        {
            return await client.ExecuteAsync(op, request, cancellation.Token).ConfigureAwait(false);
        }
        finally
        {
            _cancellations.TryRemove(id, out _);
        }
    }

    private void Cancel(long target)
    {
        if (_cancellations.TryGetValue(target, out CancellationTokenSource? cancellation))
        {
            cancellation.Cancel();
        }
    }

    private async Task<JsonObject> LoadAsync(long id, LoadSettings settings, IAgentClient client)
    {
        if (Interlocked.Exchange(ref _loading, 1) == 1)
        {
            throw new AgentException("a load run is already in progress");
        }

        try
        {
            // Creating items is expensive, so consecutive loads with the same workload share them.
            _items = _items is { } made && made.Serves(settings.Workload) ? made : new LoadItems(settings.Workload);
            LoadSamples? before = null;
            var run = new LoadRun(settings, _items, client.TargetOf(settings.Workload.Calls));
            LoadResult result = await run.RunAsync((second, now) =>
            {
                JsonObject line = LoadLines.Progress(second, now, before);
                line.Insert(0, "id", id);
                Write(line);
                before = now;
            }).ConfigureAwait(false);
            return LoadLines.Result(result, client.Connections);
        }
        finally
        {
            _loading = 0;
        }
    }

    private static JsonObject Stats(IAgentClient client, bool collect)
    {
        JsonObject stats = Success();
        client.AddStats(stats);
        stats["connections"] = client.Connections;
        stats["residentBytes"] = Environment.WorkingSet;
        stats["managedBytes"] = collect ? GC.GetTotalMemory(forceFullCollection: true) : null;
        stats["cpuSeconds"] = Environment.CpuUsage.TotalTime.TotalSeconds;
        return stats;
    }

    private IAgentClient Client(string named) => _clients.GetValueOrDefault(named) ?? throw new AgentException("no client is open; open one first");

    private static JsonObject Success() => new() { ["result"] = "success" };

    /// <summary>Creates an error response.</summary>
    public static JsonObject Error(string code, string message, string? cause) => new()
    {
        ["result"] = "error",
        ["error"] = new JsonObject { ["code"] = code, ["message"] = message, ["cause"] = cause },
    };

    private void Write(JsonObject answer)
    {
        byte[] line = Encoding.UTF8.GetBytes(answer.ToJsonString() + "\n");
        lock (_writing)
        {
            output.Write(line);
            output.Flush();
        }
    }
}
