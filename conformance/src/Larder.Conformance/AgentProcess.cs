using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>An agent's process: JSON lines to its stdin, from its stdout.</summary>
internal sealed class AgentProcess : IAgent
{
    // An agent that says nothing for so long is broken; the longest call of the vectors takes a second.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false);

    private readonly Process _process;
    private readonly SemaphoreSlim _writing = new(1);
    private readonly ConcurrentDictionary<int, TaskCompletionSource<JsonObject>> _asked = new();
    private readonly Task _reading;
    private int _lastId;

    private AgentProcess(Process process)
    {
        _process = process;
        _reading = ReadAsync();
    }

    public static AgentProcess Start(AgentCommand command)
    {
        var start = new ProcessStartInfo(command.Program, command.Arguments)
        {
            WorkingDirectory = command.Folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            StandardInputEncoding = s_utf8,
            StandardOutputEncoding = s_utf8,
        };
        return new AgentProcess(Process.Start(start) ?? throw new InvalidOperationException($"{command.Program} did not start"));
    }

    public async Task<JsonObject> AskAsync(JsonObject request)
    {
        int id = Interlocked.Increment(ref _lastId);
        var answer = new TaskCompletionSource<JsonObject>(TaskCreationOptions.RunContinuationsAsynchronously);
        _asked[id] = answer;
        request["id"] = id;
        await _writing.WaitAsync().ConfigureAwait(false);
        try
        {
            await _process.StandardInput.WriteLineAsync(request.ToJsonString()).ConfigureAwait(false);
            await _process.StandardInput.FlushAsync().ConfigureAwait(false);
        }
        catch (IOException)
        {
            // The agent is gone: ReadAsync says so to everyone who waits.
        }
        finally
        {
            _writing.Release();
        }

        if (_reading.IsCompleted)
        {
            answer.TrySetException(new AgentFailedException("the agent ended"));
        }

        try
        {
            return await answer.Task.WaitAsync(s_patience).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            throw new AgentFailedException(string.Create(CultureInfo.InvariantCulture, $"no answer within {s_patience.TotalSeconds} s"));
        }
    }

    private async Task ReadAsync()
    {
        try
        {
            while (await _process.StandardOutput.ReadLineAsync().ConfigureAwait(false) is { } line)
            {
                if (JsonNode.Parse(line) is JsonObject answer
                    && answer["id"] is JsonValue value && value.TryGetValue(out int id)
                    && answer.ContainsKey("result") && _asked.TryRemove(id, out TaskCompletionSource<JsonObject>? asked))
                {
                    asked.SetResult(answer);
                }
            }
        }
        catch (JsonException)
        {
            // Something else than answers on stdout: the agent is broken, and ends below for everyone who waits.
            _process.Kill();
        }

        foreach (TaskCompletionSource<JsonObject> asked in _asked.Values)
        {
            asked.TrySetException(new AgentFailedException("the agent ended, or wrote what is not JSON"));
        }
    }

    public async ValueTask DisposeAsync()
    {
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It is gone already.
        }

        try
        {
            await _process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(15)).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            _process.Kill(entireProcessTree: true);
        }

        await _reading.ConfigureAwait(false);
        _process.Dispose();
        _writing.Dispose();
    }
}
