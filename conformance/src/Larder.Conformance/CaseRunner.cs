using System.Text.Json.Nodes;
using Larder.Harness.Agents;

namespace Larder.Conformance;

/// <summary>Runs one case on an open agent.</summary>
internal static class CaseRunner
{
    /// <summary>Runs the case. Returns what failed, as a sentence; null if the case passed.</summary>
    public static async Task<string?> RunAsync(Case vector, IAgent agent, string run)
    {
        var subscriptions = new CaseSubscriptions(vector);
        string? broken = await StepsAsync(vector, agent, new Substitution(run), subscriptions).ConfigureAwait(false);
        await subscriptions.LeaveAsync(agent).ConfigureAwait(false);
        return broken;
    }

    private static async Task<string?> StepsAsync(Case vector, IAgent agent, Substitution substitution, CaseSubscriptions subscriptions)
    {
        foreach (JsonObject step in vector.Given)
        {
            if (await StepAsync(step, agent, substitution, subscriptions).ConfigureAwait(false) is { } failed)
            {
                return $"given {step["op"]}: {failed}";
            }
        }

        var when = (JsonObject)vector.When.DeepClone();
        when["then"] = vector.Then.DeepClone();
        return await StepAsync(when, agent, substitution, subscriptions).ConfigureAwait(false);
    }

    private static async Task<string?> StepAsync(JsonObject step, IAgent agent, Substitution substitution, CaseSubscriptions subscriptions)
    {
        JsonObject request = substitution.Fill(step);
        subscriptions.Scope(request);
        request.Remove("then", out JsonNode? then);
        request.Remove("save", out JsonNode? save);
        if (request["op"]!.GetValue<string>() == "wait")
        {
            await Task.Delay(request["ms"]!.GetValue<int>()).ConfigureAwait(false);
            return null;
        }

        JsonObject answer = request["op"]!.GetValue<string>() == "together"
            ? await RunConcurrentlyAsync(request, agent).ConfigureAwait(false)
            : await AskAsync(request, agent).ConfigureAwait(false);
        if (save is JsonObject kept)
        {
            substitution.Keep(kept, answer);
        }

        return then is not null ? Expectation.Difference(then, answer)
            : answer["result"]?.GetValue<string>() == "error" ? $"answered {answer["error"]?.ToJsonString()}"
            : null;
    }

    private static Task<JsonObject> AskAsync(JsonObject request, IAgent agent)
    {
        Substitution.ExpandSizes(request);
        return agent.AskAsync(request);
    }

    /// <summary>Makes the same call many times concurrently, and counts the answers by result or error code.</summary>
    private static async Task<JsonObject> RunConcurrentlyAsync(JsonObject request, IAgent agent)
    {
        IEnumerable<Task<JsonObject>> calls = Enumerable.Range(0, request["times"]!.GetValue<int>())
            .Select(_ => AskAsync((JsonObject)request["call"]!.DeepClone(), agent));
        JsonObject[] answers = await Task.WhenAll(calls).ConfigureAwait(false);
        IEnumerable<KeyValuePair<string, int>> counts = answers.CountBy(answer => (answer["error"]?["code"] ?? answer["result"])!.GetValue<string>());
        return new JsonObject
        {
            ["results"] = new JsonObject(counts.Select(count => KeyValuePair.Create(count.Key, (JsonNode?)count.Value))),
        };
    }
}
