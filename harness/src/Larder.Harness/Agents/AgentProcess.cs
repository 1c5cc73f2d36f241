using System.Collections.Concurrent;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Harness.Processes;

namespace Larder.Harness.Agents;

/// <summary>A client's agent as a child process that speaks the line protocol of <c>conformance/AGENT.md</c>.</summary>
public sealed class AgentProcess : ChildProcess, IAgent
{
    private const string Early = "the process exited before it responded";

    // The maximum time that an agent may take to exit. Before it ends, its client closes the connections and waits for calls in progress.
    private static readonly TimeSpan s_closing = TimeSpan.FromSeconds(15);

    private readonly ConcurrentDictionary<long, Pending> _pending = new();
    private readonly SemaphoreSlim _writing = new(1);
    private readonly TimeSpan _patience;
    private Task _reading = Task.CompletedTask;
    private string _end = Early;
    private long _lastId;

    private AgentProcess(ProgramCommand command, TimeSpan patience)
        : base(command) => _patience = patience;

    /// <summary>Starts an agent and reads its first line.</summary>
    /// <param name="command">The command that starts the agent.</param>
    /// <param name="patience">The timeout of each request. Null means no timeout, which is needed for a load of several minutes.</param>
    /// <exception cref="HarnessException">The program is missing or is not an agent.</exception>
    public static async Task<AgentProcess> StartAsync(ProgramCommand command, TimeSpan? patience = null)
    {
        ArgumentNullException.ThrowIfNull(command);
        var agent = new AgentProcess(command with { Name = $"the {command.Name} agent" }, patience ?? Timeout.InfiniteTimeSpan);
        string? first = await agent.Output.ReadLineAsync().ConfigureAwait(false);
        if (Parsed(first)?["ready"]?["protocol"]?.GetValue<int>() != 1)
        {
            HarnessException failure =
                await agent.FailureAsync($"the first line of output must contain \"ready\" with \"protocol\": 1, but is {first}").ConfigureAwait(false);
            agent.Dispose();
            throw failure;
        }

        agent._reading = agent.ReadAsync();
        return agent;
    }

    /// <inheritdoc/>
    /// <exception cref="HarnessException">The agent ended before it answered, or it did not answer in time.</exception>
    public async Task<JsonObject> AskAsync(JsonObject request, Action<JsonObject>? onProgress = null)
    {
        ArgumentNullException.ThrowIfNull(request);
        long id = Interlocked.Increment(ref _lastId);
        request["id"] = id;
        Pending pending = _pending[id] = new Pending(new(TaskCreationOptions.RunContinuationsAsynchronously), onProgress);
        await _writing.WaitAsync().ConfigureAwait(false);
        try
        {
            await Input.WriteAsync(request.ToJsonString() + "\n").ConfigureAwait(false);
            await Input.FlushAsync().ConfigureAwait(false);
        }
        catch (IOException)
        {
            // The agent has ended. The reader fails all pending requests, including this one.
        }
        finally
        {
            _writing.Release();
        }

        if (_reading.IsCompleted && !pending.Answer.Task.IsCompleted)
        {
            throw await FailureAsync(_end).ConfigureAwait(false);
        }

        try
        {
            return await pending.Answer.Task.WaitAsync(_patience).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            throw new HarnessException($"{Name}: no response within {_patience.TotalSeconds:0} s");
        }
    }

    /// <summary>Sends a request like <see cref="AskAsync"/>, but throws if the answer is an error.</summary>
    /// <exception cref="HarnessException">The answer is an error, or there is no answer.</exception>
    public async Task<JsonObject> RequireAsync(JsonObject request, Action<JsonObject>? onProgress = null)
    {
        JsonObject answer = await AskAsync(request, onProgress).ConfigureAwait(false);
        return (string?)answer["result"] != "error"
            ? answer
            : throw new HarnessException($"{Name}: {request["op"]} failed with {answer["error"]?["code"]}: {answer["error"]?["message"]}");
    }

    /// <summary>Ends the agent by closing its stdin. The agent then closes its client.</summary>
    public override async ValueTask DisposeAsync()
    {
        try
        {
            Input.Close();
        }
        catch (IOException)
        {
            // The agent has already ended.
        }

        await _reading.WaitAsync(s_closing).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await base.DisposeAsync().ConfigureAwait(false);
        _writing.Dispose();
    }

    private static JsonNode? Parsed(string? line)
    {
        try
        {
            return line is null ? null : JsonNode.Parse(line);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private async Task ReadAsync()
    {
        while (await Output.ReadLineAsync().ConfigureAwait(false) is { } line)
        {
            if (Parsed(line) is not { } said)
            {
                // The agent has violated the line protocol, so it is killed. The code after the loop then fails all pending requests.
                _end = $"it wrote invalid JSON: {line}";
                Kill();
                break;
            }

            if (said is JsonObject answer && answer["id"] is JsonValue value && value.TryGetValue(out long id))
            {
                Hand(id, answer);
            }
        }

        if (!_pending.IsEmpty)
        {
            HarnessException failure = await FailureAsync(_end).ConfigureAwait(false);
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
        }
        else if (_pending.TryRemove(id, out _))
        {
            pending.Answer.TrySetResult(answer);
        }
    }

    private sealed record Pending(TaskCompletionSource<JsonObject> Answer, Action<JsonObject>? OnProgress);
}
