using System.Text.Json;
using Larder.Client.Leases;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Leases;

/// <summary>Runs the cases of <c>protocol/vectors/clients/get-or-set.json</c>, which all clients share.</summary>
public sealed class ExpiryPolicyTests
{
    private static readonly ClientVectors s_cases = new("get-or-set.json");

    public static TheoryData<string> Names => [.. s_cases.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Expiry_policy_matches_shared_test_vectors(string name)
    {
        JsonElement given = s_cases[name];
        JsonElement settings = given.GetProperty("options");
        JsonElement then = given.GetProperty("then");
        GetOrCreateOptions options = new()
        {
            TtlOf = settings.TryGetProperty("madeTtlMs", out JsonElement made) ? _ => TimeSpan.FromMilliseconds(made.GetDouble()) : null,
            RefreshAheadFor = Time(settings, "refreshAheadForMs"),
            RevalidateFor = Time(settings, "revalidateForMs"),
            FailSafeFor = Time(settings, "failSafeForMs"),
            Jitter = settings.TryGetProperty("jitter", out JsonElement jitter) ? jitter.GetDouble() : 0,
        };
        ExpiryPolicy times = new(options, settings.GetProperty("ttlMs").GetUInt64());
        if (then.TryGetProperty("refused", out _))
        {
            Assert.True(IsRefused(options, times, Made(settings)));
        }
        else if (given.TryGetProperty("stale", out JsonElement stale))
        {
            bool isLeased = stale.GetProperty("leased").GetBoolean();
            StaleUse use = times.Read(TimeSpan.FromMilliseconds(stale.GetProperty("expiredMs").GetDouble()), isLeased);
            Assert.Equal(then.ToString(), OutcomeName(use, isLeased));
        }
        else
        {
            options.Check();
            Assert.Null(times.Check());
            (ulong ttlMs, ulong staleMs) = times.Stored(times.TtlOf(Made(settings)), given.GetProperty("random").GetDouble());
            Assert.Equal(then.ToString(), $$"""{"ttlMs": {{ttlMs}}, "staleMs": {{staleMs}}}""");
        }
    }

    // Returns an empty value with the time to live that its factory has set.
    private static CreatedItem Made(JsonElement settings) =>
        new([], settings.TryGetProperty("contextTtlMs", out JsonElement ttl) ? TimeSpan.FromMilliseconds(ttl.GetDouble()) : null, [], DoNotStore: false);

    private static bool IsRefused(GetOrCreateOptions options, ExpiryPolicy times, in CreatedItem made)
    {
        try
        {
            options.Check();
            times.TtlOf(made);
        }
        catch (ArgumentException)
        {
            return true;
        }

        return times.Check() is not null;
    }

    private static string OutcomeName(StaleUse use, bool isLeased) => use switch
    {
        StaleUse.Hit or StaleUse.Stale => $$"""{"answer": "{{(use is StaleUse.Hit ? "hit" : "stale")}}", "refresh": {{(isLeased ? "true" : "false")}}}""",
        StaleUse.Load or StaleUse.LoadOrStale => $$"""{"answer": "load", "fallback": {{(use is StaleUse.LoadOrStale ? "true" : "false")}}}""",
        _ => """{"answer": "wait"}""",
    };

    private static TimeSpan Time(JsonElement settings, string name) =>
        settings.TryGetProperty(name, out JsonElement ms) ? TimeSpan.FromMilliseconds(ms.GetDouble()) : TimeSpan.Zero;
}
