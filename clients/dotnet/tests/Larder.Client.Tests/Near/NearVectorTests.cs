using System.Text;
using System.Text.Json;
using Larder.Client.Near;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Near;

/// <summary>Runs the cases of <c>protocol/vectors/clients/near-cache.json</c>, which all clients share.</summary>
public sealed class NearVectorTests
{
    private static readonly ClientVectors s_cases = new("near-cache.json");

    public static TheoryData<string> Names => [.. s_cases.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Near_state_matches_shared_test_vectors(string name)
    {
        JsonElement given = s_cases[name];
        given.TryGetProperty("options", out JsonElement options);
        Run run = new(new NearState(Number(options, "maxBytes") ?? 1 << 20, Milliseconds(Number(options, "maxAgeMs") ?? 60_000)));
        foreach ((int index, JsonElement step) in given.GetProperty("steps").EnumerateArray().Index())
        {
            run.Take(step.EnumerateObject().First(), step);
            run.Check(step, index);
        }
    }

    private static TimeSpan Milliseconds(long count) => TimeSpan.FromMilliseconds(count);

    private static long? Number(JsonElement of, string name) =>
        of.ValueKind == JsonValueKind.Object && of.TryGetProperty(name, out JsonElement value) ? value.GetInt64() : null;

    private static NearKey KeyOf(string text) =>
        text.Split('/') is [string cache, string key] ? new NearKey(cache, Encoding.UTF8.GetBytes(key)) : new NearKey("c", Encoding.UTF8.GetBytes(text));

    private static string NameOf(NearCopy copy) => (copy.Cache == "c" ? "" : $"{copy.Cache}/") + Encoding.UTF8.GetString(copy.Key);

    private sealed class Run(NearState state)
    {
        private readonly Dictionary<long, NearGet> _gets = [];
        private TimeSpan _now;

        public void Take(JsonProperty step, JsonElement whole)
        {
            JsonElement what = step.Value;
            switch (step.Name)
            {
                case "at":
                    _now = Milliseconds(what.GetInt64());
                    break;
                case "opened":
                    state.Opened(Stream(what), Milliseconds(Number(what, "sentAt")!.Value), Milliseconds(Number(what, "leaseMs")!.Value));
                    break;
                case "lost":
                    state.Lost(what.GetInt64());
                    break;
                case "renewed":
                    state.Renewed(Stream(what), Milliseconds(Number(what, "sentAt")!.Value));
                    break;
                case "find":
                    Assert.Equal(whole.GetProperty("then").GetString(), state.Find(KeyOf(what.GetString()!), _now)?.Answer.Value.Text);
                    break;
                case "begin":
                    _gets[what.GetProperty("get").GetInt64()] = state.Begin(KeyOf(what.GetProperty("key").GetString()!), Stream(what), _now);
                    break;
                case "answered":
                    Answer(what);
                    break;
                case "failed":
                    state.Failed(_gets[what.GetInt64()]);
                    break;
                case "ended":
                    state.Ended(KeyOf(what.GetString()!));
                    break;
                case "flushed":
                    state.Flushed(what.GetString()!);
                    break;
                case "invalidated":
                    state.Invalidated(Stream(what), Tickets(what));
                    break;
                case "cleared":
                    state.Cleared(what.GetInt64());
                    break;
                default:
                    throw new InvalidOperationException($"No such step: {whole}");
            }
        }

        public void Check(JsonElement step, int index)
        {
            state.AssertValid();
            if (step.TryGetProperty("keys", out JsonElement keys))
            {
                IEnumerable<string> held = state.Held.Select(NameOf).Order(StringComparer.Ordinal).Select(static key => $"\"{key}\"");
                Assert.Equal((index, keys.GetRawText()), (index, $"[{string.Join(",", held)}]"));
            }

            if (step.TryGetProperty("counts", out JsonElement counts))
            {
                foreach (JsonProperty count in counts.EnumerateObject())
                {
                    Assert.Equal((index, count.Name, count.Value.GetInt64()), (index, count.Name, Figure(count.Name)));
                }
            }
        }

        private static long Stream(JsonElement of) => Number(of, "stream")!.Value;

        private static uint[] Tickets(JsonElement of) => of.TryGetProperty("tickets", out JsonElement tickets)
            ? [.. tickets.EnumerateArray().Select(static ticket => ticket.GetUInt32())]
            : [.. Enumerable.Range((int)Number(of, "from")!.Value, (int)Number(of, "count")!.Value).Select(static ticket => (uint)ticket)];

        private void Answer(JsonElement what)
        {
            byte[]? value = Number(what, "bytes") is { } length ? new byte[length]
                : what.GetProperty("value").GetString() is { } text ? Encoding.UTF8.GetBytes(text)
                : null;
            state.Answered(
                _gets[what.GetProperty("get").GetInt64()],
                value is null ? null : new ItemHit(value),
                what.GetProperty("ticket").GetUInt32(),
                Milliseconds(Number(what, "ttlLeftMs")!.Value),
                _now);
        }

        private long Figure(string name)
        {
            NearCacheStatistics statistics = state.Statistics;
            return name switch
            {
                "hits" => statistics.Hits,
                "kept" => statistics.Kept,
                "invalidations" => statistics.Invalidations,
                "clears" => statistics.Clears,
                "poisoned" => statistics.Poisoned,
                "evictions" => statistics.Evictions,
                "copies" => statistics.Copies,
                "bytes" => statistics.Bytes,
                _ => throw new InvalidOperationException($"No such count: {name}"),
            };
        }
    }
}
