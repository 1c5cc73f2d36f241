using System.Text.Json.Nodes;
using Larder.Agent;

namespace Larder.Lab.Near;

/// <summary>The response of a process at the end of its run.</summary>
internal sealed record NearAnswer
{
    /// <summary>Gets the number of successful reads.</summary>
    public required long Reads { get; init; }

    /// <summary>Gets the number of reads that near copies served.</summary>
    public required long Hits { get; init; }

    /// <summary>Gets the number of reads by calls that never use near copies, such as GetBatch.</summary>
    public required long PlainReads { get; init; }

    /// <summary>Gets the number of completed writes, including deletes.</summary>
    public required long Writes { get; init; }

    /// <summary>Gets the number of failed calls by code.</summary>
    public required IReadOnlyDictionary<string, long> Failures { get; init; }

    /// <summary>Gets the number of violations that the process itself detected.</summary>
    public required long Violations { get; init; }

    /// <summary>Gets descriptions of the first few violations.</summary>
    public required IReadOnlyList<string> Told { get; init; }

    /// <summary>Gets the duration of the run, in s.</summary>
    public required double Seconds { get; init; }

    /// <summary>Gets the latencies of the process's gets.</summary>
    public required LoadHistogram Gets { get; init; }

    /// <summary>Parses the response.</summary>
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
