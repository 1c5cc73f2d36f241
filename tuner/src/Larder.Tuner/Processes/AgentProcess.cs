using System.Collections.Concurrent;
using System.Text.Json.Nodes;

namespace Larder.Tuner.Processes;

/// <summary>A client's agent as a child process, spoken to in the lines of <c>conformance/AGENT.md</c>.</summary>
internal sealed class AgentProcess : IAsyncDisposable
{
    private readonly ChildProcess _process;
    private readonly ConcurrentDictionary<long, Pending> _pending = new();
    private readonly SemaphoreSlim _writing = new(1);
    private readonly Task _reading;
    private long _lastId;

    private AgentProcess(ChildProcess process)
    {
        _process = process;
        _reading = ReadAsync();
    }

    /// <summary>Its process's id.</summary>
    public int Id => _process.Id;

    /// <summary>Starts an agent and reads its first line; <paramref name="name"/> is what messages call it.</summary>
    /// <exception cref="TunerException">It is missing, or no agent.</exception>
    public static async Task<AgentProcess> StartAsync(string name, AgentCommand command)
    {
        var process = ChildProcess.Start($"the {name} agent", command.Program, command.Arguments, command.Folder);
        string? first = await process.Output.ReadLineAsync().ConfigureAwait(false);
        if (first is null || JsonNode.Parse(first)?["ready"]?["protocol"]?.GetValue<int>() != 1)
        {
            TunerException failure = await process.FailureAsync($"its first line is not that of an agent of protocol 1: {first}").ConfigureAwait(false);
            await process.DisposeAsync().ConfigureAwait(false);
            throw failure;
        }

        return new AgentProcess(process);
    }

    /// <summary>Sends a request and returns its answer, which may be an error.</summary>
    /// <exception cref="TunerException">The agent ended first.</exception>
    public async Task<JsonObject> SendAsync(JsonObject request, Action<JsonObject>? onProgress = null)
    {
        long id = Interlocked.Increment(ref _lastId);
        request["id"] = id;
        Pending pending = _pending[id] = new Pending(new(TaskCreationOptions.RunContinuationsAsynchronously), onProgress);
        await _writing.WaitAsync().ConfigureAwait(false);
        try
        {
            await _process.Input.WriteAsync(request.ToJsonString() + "\n").ConfigureAwait(false);
            await _process.Input.FlushAsync().ConfigureAwait(false);
        }
        catch (IOException)
        {
            throw await _process.FailureAsync("it ended before its time").ConfigureAwait(false);
        }
        finally
        {
            _writing.Release();
        }

        return _reading.IsCompleted && !pending.Answer.Task.IsCompleted
            ? throw await _process.FailureAsync("it ended before its time").ConfigureAwait(false)
            : await pending.Answer.Task.ConfigureAwait(false);
    }

    /// <summary>The same, where only success will do.</summary>
    /// <exception cref="TunerException">The answer is an error.</exception>
    public async Task<JsonObject> DemandAsync(JsonObject request, Action<JsonObject>? onProgress = null)
    {
        JsonObject answer = await SendAsync(request, onProgress).ConfigureAwait(false);
        return (string?)answer["result"] != "error"
            ? answer
            : throw new TunerException($"{_process.Name}: {request["op"]} failed with {answer["error"]?["code"]}: {answer["error"]?["message"]}");
    }

    /// <summary>Ends the agent: its stdin closes, and it closes its client.</summary>
    public async ValueTask DisposeAsync()
    {
        _process.Input.Close();
        await _reading.ConfigureAwait(false);
        await _process.DisposeAsync().ConfigureAwait(false);
        _writing.Dispose();
    }

    private async Task ReadAsync()
    {
        while (await _process.Output.ReadLineAsync().ConfigureAwait(false) is { } line)
        {
            if (JsonNode.Parse(line) is JsonObject answer && (long?)answer["id"] is { } id)
            {
                Hand(id, answer);
            }
        }

        if (!_pending.IsEmpty)
        {
            TunerException failure = await _process.FailureAsync("it ended before it answered").ConfigureAwait(false);
            foreach (Pending pending in _pending.Values)
            {
                pending.Answer.TrySetException(failure);
            }
        }
    }

    private void Hand(long id, JsonObject answer)
    {
        if (!_pending.TryGetValue(id, out Pending? pending))
        {
            return;
        }

        if (answer["progress"] is JsonObject progress)
        {
            pending.OnProgress?.Invoke(progress);
            return;
        }

        _pending.TryRemove(id, out _);
        pending.Answer.TrySetResult(answer);
    }

    private sealed record Pending(TaskCompletionSource<JsonObject> Answer, Action<JsonObject>? OnProgress);
}
