using System.Globalization;
using System.Text.Json;
using Larder.Client.Tests.Support;
using Larder.Client.Topics;
using Larder.Wire;

namespace Larder.Client.Tests.Topics;

/// <summary>Runs the cases of <c>protocol/vectors/clients/topics.json</c>, which all clients share.</summary>
public sealed class SubscriptionVectorTests
{
    private static readonly ClientVectors s_cases = new("topics.json");

    public static TheoryData<string> Names => [.. s_cases.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Subscription_state_matches_shared_test_vectors(string name)
    {
        JsonElement given = s_cases[name];
        given.TryGetProperty("settings", out JsonElement settings);
        RetryPolicy backOff = new(0, Milliseconds(settings, "initialBackOffMs", 80), Milliseconds(settings, "maxBackOffMs", 1_000));
        SubscriptionState state = new(Options(given), Milliseconds(settings, "requestTimeoutMs", 5_000), backOff);
        TimeSpan now = TimeSpan.Zero;
        foreach (JsonElement step in given.GetProperty("steps").EnumerateArray())
        {
            now = step.TryGetProperty("atMs", out JsonElement at) ? TimeSpan.FromMilliseconds(at.GetDouble()) : now;
            Dictionary<string, string?> outcome = Outcome(state, step, now);
            outcome["phase"] = state.Phase.ToString().ToLowerInvariant();
            outcome["position"] = state.Position?.ToString();
            outcome["error"] = state.Error is { } error ? Text((int)error) : null;
            if (step.TryGetProperty("then", out JsonElement then))
            {
                foreach (JsonProperty expected in then.EnumerateObject())
                {
                    Assert.Equal((expected.Name, Plain(expected.Value)), (expected.Name, outcome[expected.Name]));
                }
            }
        }
    }

    private static Dictionary<string, string?> Outcome(SubscriptionState state, JsonElement step, TimeSpan now)
    {
        List<string> events = [];
        Dictionary<string, string?> outcome = new() { ["ask"] = null, ["waitMs"] = null, ["lost"] = null };
        switch (step.EnumerateObject().First().Name)
        {
            case "connect":
                outcome["ask"] = state.Connect(now) is { } ask
                    ? $"{{\"resumeAt\":\"{ask.ResumeAt}\",\"page\":\"{ask.Page}\",\"now\":{(ask.FromNow ? "true" : "false")}}}"
                    : null;
                break;
            case "opened":
                state.Opened(step.GetProperty("opened").GetString());
                break;
            case "item":
                ulong number = Number(step.GetProperty("item"), "number");
                bool isTold = state.OnItem(number, Number(step.GetProperty("item"), "page"), now, out TopicGap? before);
                events.AddRange(Gap(before));
                events.AddRange(isTold ? [$"{{\"item\":\"{number}\"}}"] : []);
                break;
            case "discontinuity":
                JsonElement gap = step.GetProperty("discontinuity");
                events.AddRange(Gap(state.OnDiscontinuity(Number(gap, "last"), Number(gap, "new"), Number(gap, "page"), now)));
                break;
            case "heartbeat":
                events.AddRange(state.OnHeartbeat(now) ? ["\"heartbeat\""] : []);
                break;
            case "failed":
                double random = step.TryGetProperty("random", out JsonElement draw) ? draw.GetDouble() : 1;
                TimeSpan? wait = state.Failed((StatusCode)step.GetProperty("failed").GetInt32(), now, random);
                outcome["waitMs"] = wait is { } known ? Text(known.TotalMilliseconds) : null;
                break;
            case "tick":
                outcome["lost"] = state.Lost(now) is { } lost ? Text((int)lost) : null;
                break;
            case "resumed":
                state.Resumed(now);
                break;
            case "closed":
                state.Close();
                break;
            default:
                throw new InvalidOperationException($"No such step: {step}");
        }

        outcome["events"] = $"[{string.Join(",", events)}]";
        return outcome;
    }

    private static string? Plain(JsonElement value) =>
        value.ValueKind switch
        {
            JsonValueKind.Null => null,
            JsonValueKind.String => value.GetString(),
            _ => value.GetRawText(),
        };

    private static IEnumerable<string> Gap(TopicGap? gap) => gap is { } told
        ? [$"{{\"discontinuity\":{{\"last\":\"{told.Last}\",\"next\":\"{told.Next}\",\"page\":\"{told.Page}\"}}}}"]
        : [];

    private static SubscribeOptions Options(JsonElement given)
    {
        given.TryGetProperty("options", out JsonElement options);
        return new SubscribeOptions
        {
            ResumeAt = Number(options, "resumeAt"),
            Page = Number(options, "page"),
            From = Of(options, "from")?.GetString() == "now" ? TopicStart.Now : TopicStart.Newest,
            Heartbeats = Of(options, "heartbeats")?.GetBoolean() ?? false,
        };
    }

    private static ulong Number(JsonElement of, string name) =>
        Of(of, name) is { } number ? ulong.Parse(number.GetString()!, CultureInfo.InvariantCulture) : 0;

    private static TimeSpan Milliseconds(JsonElement of, string name, double otherwise) => TimeSpan.FromMilliseconds(Of(of, name)?.GetDouble() ?? otherwise);

    private static JsonElement? Of(JsonElement of, string name) =>
        of.ValueKind == JsonValueKind.Object && of.TryGetProperty(name, out JsonElement value) ? value : null;

    private static string Text<T>(T number)
        where T : IFormattable => number.ToString(null, CultureInfo.InvariantCulture);
}
