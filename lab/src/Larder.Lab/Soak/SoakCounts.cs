using System.Text.Json.Nodes;

namespace Larder.Lab.Soak;

/// <summary>The counts of a soak's load, and what the client held when it was over.</summary>
internal sealed record SoakCounts
{
    /// <summary>Whether the load came to its end in time: each caller got an answer to each of its calls.</summary>
    public bool Ended { get; init; } = true;

    /// <summary>Calls in the histogram.</summary>
    public long Calls { get; init; }

    /// <summary>Gets that found a value.</summary>
    public long Hits { get; init; }

    /// <summary>Gets that found none.</summary>
    public long Misses { get; init; }

    /// <summary>Sets, failed ones too.</summary>
    public long Writes { get; init; }

    /// <summary>Calls that failed, by code.</summary>
    public IReadOnlyDictionary<string, long> Errors { get; init; } = new Dictionary<string, long>();

    /// <summary>Calls that failed.</summary>
    public long Failures => Errors.Values.Sum();

    /// <summary>Hits with another key's value.</summary>
    public long Crossed { get; init; }

    /// <summary>Permits of the cap held afterwards.</summary>
    public long InFlightAfter { get; init; }

    /// <summary>Callers queued afterwards.</summary>
    public long QueuedAfter { get; init; }

    /// <summary>Connections that were reset.</summary>
    public int Resets { get; init; }

    /// <summary>From the load's last line, the client's stats after it, and the proxy's count.</summary>
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
