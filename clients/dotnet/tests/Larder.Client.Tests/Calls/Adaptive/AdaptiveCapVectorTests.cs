using System.Text.Json;
using Larder.Client.Adaptive;
using Larder.Client.Calls;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client.Tests.Adaptive;

/// <summary>Runs the cases of <c>protocol/vectors/clients/adaptive-cap.json</c>, which all clients share.</summary>
public sealed class AdaptiveCapVectorTests
{
    private static readonly ClientVectors Cases = new("adaptive-cap.json");

    public static TheoryData<string> Names => [.. Cases.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Adaptive_limit_matches_shared_test_vectors(string name)
    {
        JsonElement given = Cases[name];
        ManualTime time = new();
        Clock clock = new(time);
        int most = given.GetProperty("most").GetInt32();
        AdaptiveCap cap = new(most);
        InFlightLimiter limiter = new(most, 100_000);
        AdaptiveLimiter adaptive = new(limiter, most, Milliseconds(given, "targetMs"), clock, null, NullLogger.Instance);
        long origin = clock.Now;
        int number = 0;
        foreach (JsonElement step in given.GetProperty("steps").EnumerateArray())
        {
            (int Limit, AdaptiveCapState State) got;
            if (step.TryGetProperty("window", out JsonElement window))
            {
                cap.Judge(CountsOf(window), Milliseconds(step, "atMs"));
                got = (cap.Limit, cap.State);
            }
            else
            {
                SetWaiting(limiter, step.GetProperty("waited").GetBoolean());
                End(adaptive, clock, origin, step);
                got = (limiter.Limit, adaptive.State);
            }

            number++;
            JsonElement then = step.GetProperty("then");
            Assert.Equal(
                (name, number, (then.GetProperty("limit").GetInt32(), then.GetProperty("state").GetString())),
                (name, number, (got.Limit, JsonNamingPolicy.CamelCase.ConvertName(got.State.ToString()))));
        }
    }

    private static void End(AdaptiveLimiter adaptive, Clock clock, long origin, JsonElement step)
    {
        for (int i = 0; i < step.GetProperty("calls").GetInt32(); i++)
        {
            long granted = origin + clock.Ticks(Milliseconds(step, "grantedMs") + (i * Milliseconds(step, "everyMs")));
            adaptive.Ended(granted, granted + clock.Ticks(Milliseconds(step, "tookMs")), step.GetProperty("failed").GetBoolean());
        }
    }

    // Uses all permits of the limit and queues one more waiter. A growing limit admits waiters, so each step uses all permits again.
    private static void SetWaiting(InFlightLimiter limiter, bool waits)
    {
        while (waits && limiter.Waiting == 0 && limiter.Enter(new Probe()) == Admission.Granted)
        {
        }
    }

    private static CapCounts CountsOf(JsonElement window) => new(
        window.GetProperty("calls").GetInt32(),
        window.GetProperty("over").GetInt32(),
        window.GetProperty("waited").GetInt32(),
        Milliseconds(window, "meanMs"),
        Milliseconds(window, "leastMs"),
        Milliseconds(window, "spanMs"));

    private static TimeSpan Milliseconds(JsonElement json, string field) => TimeSpan.FromMilliseconds(json.GetProperty(field).GetDouble());

    private sealed class Probe : LimiterWaiter
    {
        internal override long WaiterVersion => 1;

        internal override bool TryGrant(long version) => true;
    }
}
