using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>Measures the duration of a near cache hit, with one caller and sequential hits (conformance/AGENT.md, <c>nearHits</c>).</summary>
internal sealed class NearHits(CacheClient client, Cache cache)
{
    private static readonly TimeSpan s_ttl = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    /// <summary>Runs the measurement and returns the response of the operation.</summary>
    public async Task<JsonObject> RunAsync(JsonElement line)
    {
        byte[][] keys = Keys(line);
        byte[] value = new byte[ValueBytes(line)];
        await FillAsync(keys, value).ConfigureAwait(false);
        long before = Hits();
        JsonObject answer = await Times(line).MeasureAsync(keys.Length, value.Length, (line.Text("what") ?? "get") switch
        {
            "get" => rounds => GetAsync(keys, rounds),
            "tryGet" => rounds => new(TryGet(keys, rounds)),
            string other => throw new AgentException($"\"what\" must be get or tryGet, but is {other}"),
        }).ConfigureAwait(false);
        return answer.With("hits", Hits() - before);
    }

    /// <summary>Returns the keys of a request.</summary>
    public static byte[][] Keys(JsonElement line) =>
    [
        .. Enumerable.Range(0, (int)(line.Long("keys") ?? 1_000))
            .Select(static key => Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"hit-{key:000000000}"))),
    ];

    /// <summary>Returns the size of each value in bytes.</summary>
    public static int ValueBytes(JsonElement line) => (int)(line.Long("valueBytes") ?? 100);

    /// <summary>Creates a measurement with the duration that a request specifies.</summary>
    public static HitTimes Times(JsonElement line) => new(TimeSpan.FromSeconds(line.Number("seconds") ?? 1));

    private long Hits() => client.NearCache?.Hits ?? 0;

    private async ValueTask<long> GetAsync(byte[][] keys, int rounds)
    {
        long bytes = 0;
        for (int round = 0; round < rounds; round++)
        {
            foreach (byte[] key in keys)
            {
                bytes += await cache.GetAsync(key).ConfigureAwait(false) is { IsHit: true } hit ? hit.Value.Length : 0;
            }
        }

        return bytes;
    }

    private long TryGet(byte[][] keys, int rounds)
    {
        long bytes = 0;
        for (int round = 0; round < rounds; round++)
        {
            foreach (byte[] key in keys)
            {
                bytes += cache.TryGetNear(key, out CacheValue value) ? value.Length : 0;
            }
        }

        return bytes;
    }

    // Reads until every key has a copy in the near cache. Several reads may be needed, because the client does not store copies of responses that arrive before
    // the near stream is ready.
    private async Task FillAsync(byte[][] keys, byte[] value)
    {
        foreach (byte[] key in keys)
        {
            if (await cache.SetAsync(key, value, s_ttl).ConfigureAwait(false) is { Error: { } error })
            {
                throw new AgentException($"cannot set a key: {error.Message}");
            }
        }

        long begun = Stopwatch.GetTimestamp();
        while (!Array.TrueForAll(keys, key => cache.TryGetNear(key, out _)))
        {
            if (Stopwatch.GetElapsedTime(begun) > s_patience)
            {
                throw new AgentException("the near cache does not store the keys; check that it is enabled");
            }

            foreach (byte[] key in keys)
            {
                await cache.GetAsync(key).ConfigureAwait(false);
            }
        }
    }
}
