using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Conformance.Hostile;
using Larder.Harness;
using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Conformance.Tests.Hostile;

/// <summary>One agent against hostile servers, mode after mode: what each broke, in words.</summary>
internal sealed class HostileRun(ProgramCommand command, string transport)
{
    // The calls' own deadline. Patience is what tells a call that hangs from one that a busy machine held up.
    private const int DeadlineMs = 150;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    // On a busy machine the first call of a process compiles what it needs for longer than a deadline.
    private const int GoodDeadlineMs = 20_000;

    // What one mode may add to a process at its highest: six answers at once, each unfolded to at most 10.5 MB in a buffer that doubles (8 + 16 MB): 144 MB,
    // and as much as a collector leaves for later. The gzip bomb is 512 MB.
    private const long MostBytes = 250L << 20;

    private static readonly HashSet<string> s_codes =
    [
        "InvalidArgument", "NotFound", "AlreadyExists", "PermissionDenied", "Unauthenticated", "LimitExceeded", "FailedPrecondition", "Timeout", "Cancelled",
        "Unavailable", "ClientOverloaded", "Internal", "Unknown",
    ];

    private static readonly JsonObject[] s_calls =
    [
        new() { ["op"] = "get", ["key"] = "a" },
        new() { ["op"] = "get", ["key"] = "b" },
        new() { ["op"] = "set", ["key"] = "a", ["value"] = "1" },
        new() { ["op"] = "increment", ["key"] = "n", ["amount"] = 1 },
        new() { ["op"] = "getBatch", ["keys"] = new JsonArray(new JsonObject { ["key"] = "a" }, new JsonObject { ["key"] = "b" }) },
        new() { ["op"] = "getWithHash", ["key"] = "a" },
    ];

    /// <summary>Runs a good server's mode and then these; answers what was broken, nothing where all is well.</summary>
    public async Task<IReadOnlyList<string>> BrokenAsync(IEnumerable<HostileMode> modes)
    {
        var broken = new List<string>();
        await using AgentProcess agent = await AgentProcess.StartAsync(command, Run.Patience);
        foreach (HostileMode? mode in modes.Prepend(HostileModes.Good))
        {
            try
            {
                if (await FindAsync(agent, mode) is { } found)
                {
                    broken.Add($"{mode.Name}: {found}");
                }
            }
            catch (Exception ended) when (ended is HarnessException or TimeoutException)
            {
                // A crash, or an open or close without an end: nothing more can be asked of this agent.
                broken.Add($"{mode.Name}: {ended.Message}");
                break;
            }
        }

        return broken;
    }

    private async Task<string?> FindAsync(AgentProcess agent, HostileMode mode)
    {
        await using var server = new HostileServer(mode, transport == "pipeline");
        JsonObject opened = await agent.AskAsync(new JsonObject
        {
            ["op"] = "open",
            ["endpoint"] = server.Endpoint,
            ["transport"] = transport,
            ["requestTimeoutMs"] = mode == HostileModes.Good ? GoodDeadlineMs : DeadlineMs,
            ["eagerConnect"] = false,
        }).WaitAsync(s_patience);
        if (opened["result"]?.GetValue<string>() != "success")
        {
            return $"open answered {opened.ToJsonString()}";
        }

        var memory = new PeakMemory(opened["pid"]!.GetValue<int>());
        string[] answers = await Task.WhenAll(s_calls.Select(call => CallAsync(agent, call)));
        // And again, on what the first calls have left of the client.
        answers = [.. answers, .. await Task.WhenAll(s_calls.Take(2).Select(call => CallAsync(agent, call)))];
        long grown = memory.GrownBytes();
        await agent.AskAsync(new JsonObject { ["op"] = "close" }).WaitAsync(s_patience);
        if (mode == HostileModes.Good)
        {
            return answers[0] == "hit" ? null : $"a good server's hit was {answers[0]}";
        }

        return answers.Select(Judge).FirstOrDefault(verdict => verdict is not null)
            ?? (server.Connections == 0 ? "nothing connected" : null)
            ?? (grown > MostBytes ? string.Create(CultureInfo.InvariantCulture, $"{grown >> 20} MB more memory") : null);
    }

    // An answer of any kind is the client's verdict; an error has a code of the contract.
    private static string? Judge(string answer) => answer.Split(' ') switch
    {
        ["no", "answer", ..] => answer,
        ["error", var code, ..] when !s_codes.Contains(code) => answer,
        _ => null,
    };

    private static async Task<string> CallAsync(AgentProcess agent, JsonObject call)
    {
        try
        {
            JsonObject answer = await agent.AskAsync(call.DeepClone().AsObject()).WaitAsync(s_patience);
            string result = answer["result"]!.GetValue<string>();
            return result == "error" ? $"error {answer["error"]!["code"]} {answer["error"]!["message"]}" : result;
        }
        catch (TimeoutException)
        {
            return string.Create(CultureInfo.InvariantCulture, $"no answer to {call["op"]} in {s_patience.TotalSeconds} s with a deadline of {DeadlineMs} ms");
        }
    }
}
