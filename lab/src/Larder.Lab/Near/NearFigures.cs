using System.Text.Json.Nodes;

namespace Larder.Lab.Near;

/// <summary>What a client says of its near cache (conformance/AGENT.md, <c>stats</c>); all 0 where it has none.</summary>
internal sealed record NearFigures(long Hits, long Kept, long Invalidations, long Clears, long Poisoned, long Evictions, long Copies)
{
    /// <summary>Reads it from the answer's <c>near</c>.</summary>
    public static NearFigures From(JsonNode? near)
    {
        long Of(string name) => (long?)near?[name] ?? 0;
        return new NearFigures(Of("hits"), Of("kept"), Of("invalidations"), Of("clears"), Of("poisoned"), Of("evictions"), Of("copies"));
    }
}
