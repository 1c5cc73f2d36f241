using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;

namespace Larder.Conformance.Hostile;

/// <summary>Makes the calls of a client to a hostile server, and checks their results.</summary>
internal static class HostileCalls
{
    /// <summary>The deadline of each call, in ms.</summary>
    public const int DeadlineMs = 150;

    /// <summary>The timeout after which a call counts as hung. A shorter delay can be caused by a busy machine.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The maximum increase of a process's peak memory in one mode. Each of six concurrent answers is decompressed to at most 10.5 MB. The buffer for one
    /// answer grows from 8 MB to 16 MB, and for a moment both buffers exist. So the answers need 6 × 24 MB = 144 MB. The remaining memory allows for objects
    /// that the garbage collector has not freed yet. The decompressed size of the gzip bomb is 512 MB.
    /// </summary>
    public const long MaxBytes = 250L << 20;

    /// <summary>The beginning of the answer of a call that did not complete within <see cref="Patience"/>.</summary>
    public const string NoResponse = "no response to";

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

    /// <summary>
    /// Opens a client of the server, makes the calls and closes the client. Returns the answers. The first one is the answer to a get.
    /// <paramref name="opened"/> receives the process id of the client.
    /// </summary>
    /// <exception cref="InvalidOperationException">The client cannot be opened.</exception>
    /// <exception cref="TimeoutException">An open or a close did not complete.</exception>
    public static async Task<string[]> OfClientAsync(
        AgentProcess agent, HostileServer server, string transport, string named, int deadlineMs, Action<int>? opened = null)
    {
        JsonObject open = await agent.AskAsync(new JsonObject
        {
            ["op"] = "open",
            ["named"] = named,
            ["endpoint"] = server.Endpoint,
            ["transport"] = transport,
            ["requestTimeoutMs"] = deadlineMs,
            ["eagerConnect"] = false,
        }).WaitAsync(Patience).ConfigureAwait(false);
        if (open["result"]?.GetValue<string>() != "success")
        {
            throw new InvalidOperationException($"the agent cannot open a client; it returned {open.ToJsonString()}");
        }

        opened?.Invoke(open["pid"]!.GetValue<int>());
        string[] answers = await Task.WhenAll(s_calls.Select(call => OneAsync(agent, call, named))).ConfigureAwait(false);
        // Repeat two calls, to check that the first calls have not left the client in an invalid state.
        answers = [.. answers, .. await Task.WhenAll(s_calls.Take(2).Select(call => OneAsync(agent, call, named))).ConfigureAwait(false)];
        await agent.AskAsync(new JsonObject { ["op"] = "close", ["named"] = named }).WaitAsync(Patience).ConfigureAwait(false);
        return answers;
    }

    /// <summary>
    /// Returns the description of a forbidden answer; null if the answer is permitted. Every result is permitted. An error is permitted if the specification
    /// defines its code.
    /// </summary>
    public static string? Judge(string answer) => answer.StartsWith(NoResponse, StringComparison.Ordinal)
        || (answer.Split(' ') is ["error", var code, ..] && !s_codes.Contains(code)) ? answer : null;

    private static async Task<string> OneAsync(AgentProcess agent, JsonObject call, string named)
    {
        try
        {
            JsonObject request = call.DeepClone().AsObject();
            request["named"] = named;
            JsonObject answer = await agent.AskAsync(request).WaitAsync(Patience).ConfigureAwait(false);
            string result = answer["result"]!.GetValue<string>();
            return result == "error" ? $"error {answer["error"]!["code"]} {answer["error"]!["message"]}" : result;
        }
        catch (TimeoutException)
        {
            return string.Create(CultureInfo.InvariantCulture, $"{NoResponse} {call["op"]} in {Patience.TotalSeconds} s with a deadline of {DeadlineMs} ms");
        }
    }
}
