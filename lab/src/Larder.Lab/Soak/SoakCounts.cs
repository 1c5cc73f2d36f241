using System.Text.Json.Nodes;

namespace Larder.Lab.Soak;

/// <summary>The counts of a soak's load, and the state of the client after the load.</summary>
internal sealed record SoakCounts
{
    /// <summary>Gets whether the load ended in time, which means that every call completed.</summary>
    public bool Ended { get; init; } = true;

    /// <summary>Gets the number of calls in the histogram.</summary>
    public long Calls { get; init; }

    /// <summary>Gets the number of gets that found a value.</summary>
    public long Hits { get; init; }

    /// <summary>Gets the number of gets that found no value.</summary>
    public long Misses { get; init; }

    /// <summary>Gets the number of sets, including failed ones.</summary>
    public long Writes { get; init; }

    /// <summary>Gets the number of failed calls by code.</summary>
    public IReadOnlyDictionary<string, long> Errors { get; init; } = new Dictionary<string, long>();

    public long Failures => Errors.Values.Sum();

    /// <summary>Gets the number of hits that returned a value of another key.</summary>
    public long Crossed { get; init; }

    /// <summary>Gets the number of permits of the concurrency limit that are still in use after the load.</summary>
    public long InFlightAfter { get; init; }

    /// <summary>Gets the number of callers that are still queued after the load.</summary>
    public long QueuedAfter { get; init; }

    /// <summary>Gets the number of connections that were reset.</summary>
    public int Resets { get; init; }

    /// <summary>Combines the final response of the load, the client's statistics after the load, and the proxy's count of resets.</summary>
    public static SoakCounts From(JsonObject load, JsonObject stats, int resets)
    {
        long histogram = load["histogram"]!["counts"]!.AsArray().Sum(pair => (long)pair![1]!);
        return new SoakCounts
        {
            Calls = histogram,
            Hits = (long)load["hits"]!,
            Misses = (long)load["misses"]!,
            Writes = (long)load["writes"]!,
            Errors = load["errors"]!.AsObject().ToDictionary(pair => pair.Key, pair => (long)pair.Value!),
            Crossed = (long)load["crossed"]!,
            InFlightAfter = (long?)stats["inFlight"] ?? 0,
            QueuedAfter = (long?)stats["queued"] ?? 0,
            Resets = resets,
        };
    }
}
