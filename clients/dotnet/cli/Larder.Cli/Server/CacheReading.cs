using System.Text.Json;

namespace Larder.Cli;

/// <summary>The statistics of one cache, or the sum over all caches. Evicted is the number of items evicted for lack of memory or because of a quota.</summary>
internal sealed record CacheReading(string Name, long Hits, long Misses, long Sets, long Entries, long Bytes, long Evicted, long Expired)
{
    public static CacheReading Of(JsonElement cache)
    {
        JsonElement evictions = StatsReading.Part(cache, "evictions");
        return new CacheReading(
            StatsReading.Text(cache, "name"),
            (long)StatsReading.Number(cache, "hits"),
            (long)StatsReading.Number(cache, "misses"),
            (long)StatsReading.Number(cache, "sets"),
            (long)StatsReading.Number(cache, "entries"),
            (long)StatsReading.Number(cache, "bytes"),
            (long)(StatsReading.Number(evictions, "memory") + StatsReading.Number(evictions, "quota")),
            (long)StatsReading.Number(evictions, "expired"));
    }
}
