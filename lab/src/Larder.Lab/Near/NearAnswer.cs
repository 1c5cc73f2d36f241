using System.Text.Json.Nodes;
using Larder.Agent;

namespace Larder.Lab.Near;

/// <summary>What a process answered when its run was over.</summary>
internal sealed record NearAnswer
{
    /// <summary>Reads that did not fail.</summary>
    public required long Reads { get; init; }

    /// <summary>Of them answered by a copy.</summary>
    public required long Hits { get; init; }

    /// <summary>Of them such as no copy may answer.</summary>
    public required long PlainReads { get; init; }

    /// <summary>Writes that finished, deletes among them.</summary>
    public required long Writes { get; init; }

    /// <summary>Failed calls by code.</summary>
    public required IReadOnlyDictionary<string, long> Failures { get; init; }

    /// <summary>What the process found wrong by itself.</summary>
    public required long Violations { get; init; }

    /// <summary>The first few of those in words.</summary>
    public required IReadOnlyList<string> Told { get; init; }

    /// <summary>Seconds that it took.</summary>
    public required double Seconds { get; init; }

    /// <summary>How long its gets took.</summary>
    public required LoadHistogram Gets { get; init; }

    /// <summary>Reads it from the answer's line.</summary>
    public static NearAnswer From(JsonObject line) => new()
    {
        Reads = (long)line["reads"]!,
        Hits = (long)line["hits"]!,
        PlainReads = (long)line["plainReads"]!,
        Writes = (long)line["writes"]!,
        Failures = line["failures"]!.AsObject().ToDictionary(static pair => pair.Key, static pair => (long)pair.Value!),
        Violations = (long)line["violations"]!,
        Told = [.. line["told"]!.AsArray().Select(static told => (string)told!)],
        Seconds = (double)line["seconds"]!,
        Gets = LoadLines.ReadHistogram(line["readHistogram"]!),
    };
}
